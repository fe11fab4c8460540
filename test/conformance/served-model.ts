/** A CSDL JSON document, as far as it is looked at. */
export type CsdlDocument = Readonly<Record<string, Readonly<Record<string, CsdlElement>>>>;

export interface CsdlElement {
  readonly [member: string]: unknown;
}

/** An entity set of the container, and its type. */
export interface ServedSet {
  readonly name: string;
  readonly type: string;
}

interface ServedProperty {
  readonly name: string;
  readonly type: string;
  readonly collection: boolean;
  readonly nullable: boolean;
}

/** The schema with the container. */
function schemaOf(document: CsdlDocument): Readonly<Record<string, CsdlElement>> {
  const [name = '', container] = String(document['$EntityContainer']).split('.');
  const schema = document[name];
  if (schema === undefined || container === undefined) throw new Error('The document names no container.');
  return schema;
}

/** The container, with what is annotated of it. */
export function containerOf(document: CsdlDocument): CsdlElement {
  const [, name = ''] = String(document['$EntityContainer']).split('.');
  return schemaOf(document)[name] ?? {};
}

/** The entity sets and what is claimed of each. */
export function setsOf(document: CsdlDocument): readonly (ServedSet & { readonly claims: CsdlElement })[] {
  return Object.entries(containerOf(document)).flatMap(([name, element]) =>
    isElement(element) && element['$Collection'] === true ? [{ name, type: localName(element['$Type']), claims: element }] : [],
  );
}

/** The properties of a set's type, with those that it inherits; of `Property` those that are no streams. */
export function propertiesOf(
  document: CsdlDocument,
  { type }: ServedSet,
  kind: 'Property' | 'NavigationProperty' = 'Property',
): readonly ServedProperty[] {
  const element = schemaOf(document)[type] ?? {};
  const base = element['$BaseType'] === undefined ? [] : propertiesOf(document, { name: '', type: localName(element['$BaseType']) }, kind);
  const own = Object.entries(element).flatMap(([name, member]): readonly ServedProperty[] => {
    if (
      name.startsWith('$') ||
      name.includes('@') ||
      !isElement(member) ||
      (member['$Kind'] ?? 'Property') !== kind ||
      member['$Type'] === 'Edm.Stream'
    )
      return [];
    return [
      {
        name,
        type: localName(member['$Type'] ?? 'Edm.String'),
        collection: member['$Collection'] === true,
        nullable: member['$Nullable'] === true,
      },
    ];
  });
  return [...base, ...own];
}

/** `Media($expand=Property($expand=...))`, as deep as is asked for; undefined where the model leads nowhere so deep. */
export function navigationChain(document: CsdlDocument, set: ServedSet, depth: number): string | undefined {
  if (depth < 1) return '';
  for (const { name, type } of propertiesOf(document, set, 'NavigationProperty')) {
    const inner = navigationChain(document, { name: '', type }, depth - 1);
    if (inner !== undefined) return inner === '' ? name : `${name}($expand=${inner})`;
  }
  return undefined;
}

function localName(name: unknown): string {
  return String(name).replace(/^self\./, '');
}

function isElement(value: unknown): value is CsdlElement {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
