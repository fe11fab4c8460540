import { elements } from './elements.js';

/** An element of the typed document, by the names of its members; the types are in `csdl.ts`. */
export type Typed = { readonly [member: string]: unknown };

/** Child elements of an element, and the member that has them. */
interface Part {
  readonly member: string;
  /** The names of the elements; one of several is told by its `kind`. */
  readonly names: readonly string[];
  /** There is at most one. */
  readonly single: boolean;
}

function many(member: string, ...names: readonly string[]): Part {
  return { member, names, single: false };
}

function one(member: string, name: string): Part {
  return { member, names: [name], single: true };
}

const notes = many('annotations', 'Annotation');
const structure = [many('keys', 'Key'), many('properties', 'Property', 'NavigationProperty'), notes];
const signature = [many('parameters', 'Parameter'), one('returnType', 'ReturnType'), notes];
const bindings = [many('bindings', 'NavigationPropertyBinding'), notes];

// oxfmt-ignore
const parts: ReadonlyMap<string, readonly Part[]> = new Map([
  ['Reference', [notes, many('includes', 'Include'), many('includeAnnotations', 'IncludeAnnotations')]],
  ['Schema', [notes, many('elements', 'EntityType', 'ComplexType', 'EnumType', 'TypeDefinition', 'Term', 'Action', 'Function', 'EntityContainer'), many('targets', 'Annotations')]],
  ['EntityType', structure],
  ['ComplexType', structure],
  ['NavigationProperty', [many('constraints', 'ReferentialConstraint'), one('onDelete', 'OnDelete'), notes]],
  ['EnumType', [notes, many('members', 'Member')]],
  ['Action', signature],
  ['Function', signature],
  ['EntityContainer', [notes, many('members', 'EntitySet', 'Singleton', 'ActionImport', 'FunctionImport')]],
  ['EntitySet', bindings],
  ['Singleton', bindings],
]);

/** The parts of an element, in the order in which they are printed. */
export function partsOf(name: string): readonly Part[] {
  return parts.get(name) ?? (elements.get(name)?.children.includes('Annotation') ? [notes] : []);
}

/** The attributes of an element; the Qualifier of separate annotations is that of each. */
export function attributesOf(name: string): readonly string[] {
  const { required = [], optional = [] } = elements.get(name) ?? {};
  return name === 'Annotations' ? required : [...required, ...optional];
}

/** The member with the value of an attribute. */
export function memberOf(owner: string, attribute: string): string {
  if (attribute === 'SRID') return 'srid';
  const isOperation = owner === 'ActionImport' || owner === 'FunctionImport' ? attribute === 'Action' || attribute === 'Function' : false;
  return isOperation ? 'operation' : attribute.charAt(0).toLowerCase() + attribute.slice(1);
}

const flags: ReadonlyMap<string, boolean | undefined> = new Map([
  ...['Abstract', 'OpenType', 'HasStream', 'ContainsTarget', 'IsFlags', 'IsBound', 'IsComposable'].map((name) => [name, false] as const),
  ['IncludeInServiceDocument', false],
  ['EntitySet/IncludeInServiceDocument', true],
  ['Nullable', undefined],
  ['Singleton/Nullable', false],
  ['Unicode', undefined],
]);

/** Whether an attribute is true or false. */
export function isFlag(attribute: string): boolean {
  return flags.has(attribute);
}

/** The value of an absent flag; undefined where its absence has a meaning of its own. */
export function defaultOf(owner: string, attribute: string): boolean | undefined {
  return flags.get(`${owner}/${attribute}`) ?? flags.get(attribute);
}
