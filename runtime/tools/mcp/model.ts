import { own } from '../../edm/index.js';

/** An object of a CSDL JSON document. */
interface Csdl {
  readonly [member: string]: unknown;
}

/** A document as CSDL JSON, with what the tools ask of it. */
export interface Model {
  /** Entity sets and singletons with their types, as the caller may see them. */
  readonly sets: () => readonly SetOutline[];
  /** A type or the type of a set, with its properties; throws an error that names the known ones. */
  readonly describe: (name: string) => TypeOutline;
  /** The key properties of a set's type, by name with their types; none of a singleton. */
  readonly keyOf: (set: string) => { readonly [property: string]: string };
}

interface SetOutline {
  readonly name: string;
  readonly kind: 'EntitySet' | 'Singleton';
  readonly type: string;
  readonly description?: string;
}

interface TypeOutline {
  readonly name: string;
  /** The members of an enumeration. */
  readonly values?: readonly string[];
  readonly key: readonly string[];
  readonly properties: readonly object[];
  readonly navigationProperties: readonly object[];
}

/** Reads a CSDL JSON document. */
export function readModel(document: Csdl): Model {
  const schemas = Object.entries(document).filter(([name, value]) => !name.startsWith('$') && isObject(value)) as [string, Csdl][];
  const namespaces = new Map(
    schemas.flatMap(([name, schema]) => [[name, schema] as const, [String(schema['$Alias'] ?? name), schema] as const]),
  );
  const container = memberOf(namespaces, String(document['$EntityContainer'])) ?? {};
  const sets = Object.entries(container).filter((entry): entry is [string, Csdl] => isObject(entry[1]) && '$Type' in entry[1]);
  const typeOf = (name: string): Csdl | undefined =>
    memberOf(namespaces, name) ?? schemas.map(([, schema]) => own(schema, name)).find(isObject);
  const typeNamed = (name: string): Csdl => {
    const set = sets.find(([each]) => each === name)?.[1];
    const type = set === undefined ? typeOf(name) : typeOf(String(set['$Type']));
    if (type !== undefined && type['$Kind'] !== 'EntityContainer') return type;
    throw new Error(`There is no entity set and no type ${name}. Entity sets: ${sets.map(([each]) => each).join(', ')}.`);
  };
  const chain = (type: Csdl): readonly Csdl[] => {
    const base = typeof type['$BaseType'] === 'string' ? typeOf(type['$BaseType']) : undefined;
    return base === undefined ? [type] : [...chain(base), type];
  };
  const membersOf = (name: string): readonly [string, Csdl][] =>
    chain(typeNamed(name)).flatMap((type) => Object.entries(type).filter((entry): entry is [string, Csdl] => isProperty(entry)));
  const keysOf = (name: string): readonly string[] =>
    chain(typeNamed(name)).flatMap((type) => (Array.isArray(type['$Key']) ? type['$Key'].flatMap(keyNames) : []));
  return {
    sets: () => sets.map(([name, set]) => setOutline(name, set, typeOf(String(set['$Type'])))),
    describe: (name) => ({
      name,
      ...(isEnumeration(typeNamed(name)) && { values: enumMembers(typeNamed(name)) }),
      key: keysOf(name),
      properties: membersOf(name)
        .filter(([, member]) => !isNavigation(member))
        .map(([each, member]) => propertyOutline(each, member, typeOf)),
      navigationProperties: membersOf(name)
        .filter(([, member]) => isNavigation(member))
        .map(([each, member]) => navigationOutline(each, member)),
    }),
    keyOf: (set) => keyTypes(keysOf(set), Object.fromEntries(membersOf(set)), typeOf),
  };
}

function keyTypes(
  keys: readonly string[],
  members: { readonly [name: string]: Csdl },
  typeOf: (name: string) => Csdl | undefined,
): { readonly [property: string]: string } {
  return Object.fromEntries(keys.map((key) => [key, primitiveType(own(members, key) ?? {}, typeOf)]));
}

function primitiveType(member: Csdl, typeOf: (name: string) => Csdl | undefined): string {
  const name = typeText(member);
  const type = typeOf(name);
  return type?.['$Kind'] === 'TypeDefinition' ? String(type['$UnderlyingType']) : name;
}

// A key within a complex value is an object with its alias.
function keyNames(key: string | Csdl): readonly string[] {
  return typeof key === 'string' ? [key] : Object.keys(key);
}

function memberOf(namespaces: ReadonlyMap<string, Csdl>, name: string): Csdl | undefined {
  const dot = name.lastIndexOf('.');
  const member = own(namespaces.get(name.slice(0, dot)) ?? {}, name.slice(dot + 1));
  return isObject(member) ? member : undefined;
}

function isObject(value: unknown): value is Csdl {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isProperty([name, value]: readonly [string, unknown]): boolean {
  return !/[$@]/.test(name) && isObject(value);
}

function isNavigation(member: Csdl): boolean {
  return member['$Kind'] === 'NavigationProperty';
}

function setOutline(name: string, set: Csdl, type: Csdl | undefined): SetOutline {
  const description = set['@Core.Description'] ?? type?.['@Core.Description'];
  const kind = set['$Collection'] === true ? 'EntitySet' : 'Singleton';
  return { name, kind, type: String(set['$Type']), ...(typeof description === 'string' && { description }) };
}

function navigationOutline(name: string, member: Csdl): object {
  return { name, type: typeText(member), ...(member['$Nullable'] === true && { nullable: true }), ...descriptionOf(member) };
}

function propertyOutline(name: string, member: Csdl, typeOf: (name: string) => Csdl | undefined): object {
  const allowed = member['@Validation.AllowedValues'];
  const enumeration = typeOf(String(member['$Type']));
  const values = Array.isArray(allowed)
    ? allowed.map((each: Csdl) => each['Value'])
    : isEnumeration(enumeration)
      ? enumMembers(enumeration)
      : undefined;
  return {
    name,
    type: typeText(member),
    ...(member['$Nullable'] === true && { nullable: true }),
    ...(typeof member['$MaxLength'] === 'number' && { maxLength: member['$MaxLength'] }),
    ...(values && { values }),
    ...(member['@Core.Computed'] === true && { computed: true }),
    ...descriptionOf(member),
  };
}

function isEnumeration(type: Csdl | undefined): type is Csdl {
  return type?.['$Kind'] === 'EnumType';
}

function enumMembers(type: Csdl): readonly string[] {
  return Object.keys(type).filter((each) => !/[$@]/.test(each));
}

function descriptionOf(member: Csdl): object {
  const description = member['@Core.Description'];
  return typeof description === 'string' ? { description } : {};
}

// CSDL JSON omits the type Edm.String.
function typeText(member: Csdl): string {
  const type = String(member['$Type'] ?? 'Edm.String');
  return member['$Collection'] === true ? `Collection(${type})` : type;
}
