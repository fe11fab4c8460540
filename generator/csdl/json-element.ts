import { faults, type Report } from '../faults.js';
import type { XmlElement } from './csdl.js';
import { namespaces } from './elements.js';
import type { JsonMember, JsonValue } from './json-tree.js';
import { isFlag } from './typed-elements.js';

/** An element as in XML; attributes without a value are omitted. */
export function element(
  name: string,
  at: number,
  attributes: { readonly [name: string]: string | undefined } = {},
  children: readonly XmlElement[] = [],
): XmlElement {
  const written = Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return { name, at, namespace: namespaces.of(name), attributes: new Map(written), foreign: [], children, text: '' };
}

type Kind = 'string' | 'number' | 'boolean';

const anyKind: readonly Kind[] = ['string', 'number', 'boolean'];

/** The kinds of value that members may have; all others are flags or strings. */
const kinds: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['$Collection', ['boolean']],
  ['$MaxLength', ['number', 'string']],
  ['$Precision', ['number']],
  ['$Scale', ['number', 'string']],
  ['$DefaultValue', anyKind],
]);

const wanted: { readonly [kind in Kind]: string } = { string: 'a string', number: 'a number', boolean: 'true or false' };

/** The value of the named member as an attribute's text, by default of the first member. */
export function attribute(members: readonly JsonMember[], name: string | undefined, report: Report): string | undefined {
  const member = name === undefined ? members[0] : members.find((each) => each.name === name);
  if (member === undefined) return undefined;
  // The value of an enumeration's member is a number, or text where a number could not hold it.
  if (!member.name.startsWith('$')) return textOf(member, anyKind, report);
  return textOf(member, kinds.get(member.name) ?? [isFlag(member.name.slice(1)) ? 'boolean' : 'string'], report);
}

function textOf({ at, name, value }: JsonMember, allowed: readonly Kind[], report: Report): string | undefined {
  const isPlain = value.kind === 'string' || value.kind === 'number' || value.kind === 'boolean';
  if (isPlain && allowed.includes(value.kind)) return String(value.value);
  report(faults.jsonValue(at, name, allowed.map((kind) => wanted[kind]).join(' or ')));
  return undefined;
}

/** The members of the facets of a type, besides `$Nullable`. */
export const facets = ['MaxLength', 'Precision', 'Scale', 'SRID', 'Unicode'] as const;

/** The type of an object; its absence means Edm.String (CSDL JSON 4.01, 7.1). */
export function typeText(members: readonly JsonMember[], report: Report): string {
  const type = attribute(members, '$Type', report) ?? 'Edm.String';
  return attribute(members, '$Collection', report) === 'true' ? `Collection(${type})` : type;
}

/** The facets of the type in a member; the absence of a scale means a variable one (CSDL JSON 4.01, 7.2.4). */
export function facetsOf(
  members: readonly JsonMember[],
  report: Report,
  type: 'Type' | 'UnderlyingType' = 'Type',
): { readonly [name: string]: string | undefined } {
  const read = (name: string): string | undefined => attribute(members, `$${name}`, report);
  const scale = read('Scale') ?? (read(type) === 'Edm.Decimal' ? 'variable' : undefined);
  return { ...Object.fromEntries(facets.map((facet) => [facet, read(facet)])), Scale: scale };
}

/** Reports members with a $ that the object does not have, and annotations of members that are not there. */
export function checkMembers(members: readonly JsonMember[], known: readonly string[], owner: string, report: Report): void {
  const names = new Set(members.map(({ name }) => name));
  for (const { at, name } of members) {
    const annotated = name.slice(0, Math.max(0, name.lastIndexOf('@')));
    if (annotated !== '' && !names.has(annotated))
      report(faults.unknownAttribute(at, annotated, owner, `The annotation ${name} has no target.`));
    if (name.startsWith('$') && !name.includes('@') && !known.includes(name.slice(1))) report(faults.unknownAttribute(at, name, owner));
  }
}

/** The members of an object; reports anything else. */
export function membersOf(value: JsonValue, what: string, report: Report): readonly JsonMember[] {
  if (value.kind === 'object') return value.members;
  report(faults.jsonValue(value.at, what, 'an object'));
  return [];
}

/** The items of an array; reports anything else. */
export function itemsOf(value: JsonValue, what: string, report: Report): readonly JsonValue[] {
  if (value.kind === 'array') return value.items;
  report(faults.jsonValue(value.at, what, 'an array'));
  return [];
}
