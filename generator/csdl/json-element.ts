import { faults, type Report } from '../faults.js';
import type { XmlElement } from './csdl.js';
import { namespaces } from './elements.js';
import type { JsonMember, JsonValue } from './json-tree.js';

/** Replaces the alias of a name by its namespace. */
export type Qualify = (name: string) => string;

/** An element as a document in XML would have it; attributes without a value are left out. */
export function element(
  name: string,
  at: number,
  attributes: { readonly [name: string]: string | undefined } = {},
  children: readonly XmlElement[] = [],
): XmlElement {
  const written = Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return { name, at, namespace: namespaces.of(name), attributes: new Map(written), foreign: [], children, text: '' };
}

/** The value of a member as the text of an attribute; the first member's where no name is given. */
export function attribute(members: readonly JsonMember[], name: string | undefined, report: Report): string | undefined {
  const member = name === undefined ? members[0] : members.find((each) => each.name === name);
  if (member === undefined) return undefined;
  const { value } = member;
  if (value.kind === 'string' || value.kind === 'number' || value.kind === 'boolean') return String(value.value);
  report(faults.jsonValue(member.at, member.name, 'a string, a number or a Boolean'));
  return undefined;
}

/** The members of an object; anything else is reported. */
export function membersOf(value: JsonValue, what: string, report: Report): readonly JsonMember[] {
  if (value.kind === 'object') return value.members;
  report(faults.jsonValue(value.at, what, 'an object'));
  return [];
}

/** The items of an array; anything else is reported. */
export function itemsOf(value: JsonValue, what: string, report: Report): readonly JsonValue[] {
  if (value.kind === 'array') return value.items;
  report(faults.jsonValue(value.at, what, 'an array'));
  return [];
}
