import { type Field, primitives } from '../../../runtime/edm/index.js';
import type { DerivedNames, EnumNode, TypeNames } from '../model-graph.js';
import { declaredKinds, distinctNames } from './distinct-names.js';
import { constantPrefix, folderName, typeIdentifier } from './names.js';
import type { BuiltType, BuiltEnum, Context } from '../built-model.js';

/** An entity type or a complex type, which gets a name. */
type Named = Pick<BuiltType, 'name' | 'qualifiedName' | 'fields'>;

/** The names of one type in generated code. */
export interface GivenNames extends TypeNames {
  /** Property to the union of its allowed values. */
  readonly unions: ReadonlyMap<string, string>;
}

/** The names of everything in generated code. */
export interface AllNames {
  readonly entities: ReadonlyMap<string, GivenNames>;
  readonly enumerations: ReadonlyMap<string, EnumNode>;
}

/** Assigns every declaration a unique name, so that all types fit into one barrel. */
export function allocateNames(
  types: readonly Named[],
  further: readonly Pick<Named, 'name' | 'qualifiedName'>[],
  { enums, csdl }: Pick<Context, 'enums' | 'csdl'>,
): AllNames {
  const taken = new Set<string>();
  const folders = new Set<string>();
  const constants = new Set<string>();
  const distinct = distinctNames(csdl, declaredKinds);
  const named = types.map((type) => ({
    type: { ...type, name: distinct.get(type.qualifiedName) ?? type.name },
    typeName: claim(distinct.get(type.qualifiedName) ?? type.name, taken),
  }));
  const derived = named.map((one) => ({ ...one, derived: derivedNames(one.typeName, taken) }));
  const enumerations = new Map(
    [...enums].map(([path, built]) => [path, enumNode(built, claim(distinct.get(path) ?? built.name, taken), constants)]),
  );
  const shared = sharedNames(types);
  // Types in further entity sources only have tables, and come last, so that they rename nothing.
  const others = further.map(({ name, qualifiedName }) => {
    const typeName = claim(name, taken);
    return {
      type: { name, qualifiedName, fields: new Map() },
      typeName,
      derived: { key: '', writable: '', create: '', update: '' },
    };
  });
  const entities = new Map(
    [...derived, ...others].map(({ type, typeName, derived: names }) => {
      const folder = folderName(type.name, folders);
      folders.add(folder);
      const constant = claim(constantPrefix(typeName), constants);
      const unions = new Map(unionProperties(type).map((name) => [name, claim(shared.has(name) ? `${typeName}${name}` : name, taken)]));
      return [type.qualifiedName, { typeName, derived: names, constant, folder, unions }];
    }),
  );
  return { entities, enumerations };
}

function claim(name: string, taken: Set<string>): string {
  const free = typeIdentifier(name, taken);
  taken.add(free);
  return free;
}

function derivedNames(typeName: string, taken: Set<string>): DerivedNames {
  return {
    key: claim(`${typeName}Key`, taken),
    writable: claim(`Writable${typeName}`, taken),
    create: claim(`${typeName}Create`, taken),
    update: claim(`${typeName}Update`, taken),
  };
}

function enumNode({ description, table }: BuiltEnum, typeName: string, constants: Set<string>): EnumNode {
  return { description, table, typeName, constant: claim(`${constantPrefix(typeName)}Enum`, constants) };
}

/** Whether each value of a type has one literal in TypeScript. Others are written in several ways, or are beyond its numbers. */
export function hasLiterals({ type }: Field): boolean {
  return type === 'Edm.String' || primitives[type].cell === 'number';
}

function unionProperties({ fields }: Named): readonly string[] {
  return [...fields.values()]
    .filter(({ field }) => field.allowedValues !== undefined && field.enumeration === undefined && hasLiterals(field))
    .map(({ property }) => property.name);
}

// A name that two types use is prefixed in both, so that adding one never renames the other's neighbours.
function sharedNames(types: readonly Named[]): ReadonlySet<string> {
  const all = types.flatMap(unionProperties);
  return new Set(all.filter((name, index) => all.indexOf(name) < index));
}
