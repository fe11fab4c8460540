import { keyColumnOf, keyFieldOf, type EntityType, type Field } from '../edm/index.js';
import type { AddressPart, SelectedColumn, Selection } from '../plan/read-plan.js';
import { storedJson } from '../plan/value/stored-json.js';
import { plainText } from './plain-text.js';

/** Where contained records are. */
export interface Within {
  /** The address that they were read at, without the last key, relative to the service root. */
  readonly path: string;
  /** It leads to one record, so that no key follows, though others of its type have one. */
  readonly alone: boolean;
}

/** The URL of a record relative to the service root: `Property('100')`, its canonical one (URL conventions 4.3). */
export function entityPath(
  type: EntityType,
  keyColumns: readonly Pick<SelectedColumn, 'name' | 'field'>[],
  keys: readonly (string | null)[],
  within?: Within,
): string {
  if (type.singleton !== undefined) return encodeURIComponent(type.singleton);
  // A contained record is addressed beneath the one that it belongs to, and where there is only one it has no key.
  if (type.contained === 'one' || within?.alone) return within?.path ?? encodeURIComponent(type.name);
  const key = keyPredicate(keyColumns.map(({ name, field }, index) => ({ name, field, text: plainText(field, keys[index] ?? '') })));
  // Names may have any letters, and a header only those of ASCII.
  return `${within?.path ?? encodeURIComponent(type.entitySet ?? type.familySet ?? familyName(type))}${key}`;
}

// What is in no set has no address, and yet is one record whatever type it is shown as.
function familyName({ name, baseTypes = [] }: EntityType): string {
  const first = baseTypes.at(-1) ?? name;
  return first.slice(first.lastIndexOf('.') + 1);
}

/** What follows a record's address where the set declares a base type of its own (JSON format 4.5.9): `/Ns.Employee`. */
export function castOf({ setType, qualifiedName }: EntityType): string {
  return setType === undefined ? '' : `/${encodeURIComponent(qualifiedName)}`;
}

/** Where the contained records of a selection are; undefined where they have no address. */
export function withinOf({ address }: Pick<Selection, 'address'>): Within | undefined {
  if (address === undefined) return undefined;
  // Behind a cast it is the part in front of it that has the key.
  const last = address.findLastIndex(({ name }) => name.includes('/') || !name.includes('.'));
  const path = address
    .slice(0, last + 1)
    .map((part, index) => partText(index === last ? { ...part, key: [] } : part))
    .join('/');
  return { path, alone: address[last]?.alone === true };
}

function partText({ name, type, key = [] }: AddressPart): string {
  if (key.length === 0 || type.singleton === name) return encodePath(name);
  const parts = type.key.map((property) => keyPart(property, type, key));
  // What the record in front of it says of the key may be left out (URL conventions 4.3.3).
  return `${encodePath(name)}${keyPredicate(parts.filter((part) => part !== undefined))}`;
}

/** The names of a path as an address has them; what a complex value contains has the path to it for a name. */
export function encodePath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

// A record may be found by its number, which is the generated part of its key.
function keyPart(name: string, type: EntityType, key: NonNullable<AddressPart['key']>): KeyPart | undefined {
  const found = key.find(({ column }) => column === keyColumnOf(type, name)) ?? key.find(({ column }) => column === '#id');
  if (found === undefined) return undefined;
  const field: Field = keyFieldOf(type, name) ?? { type: 'Edm.String' };
  return { name, field, text: askedText(field, found.value) };
}

// A request may write a value in more than one form; addresses have the one that records are shown with.
function askedText(field: Field, value: string): string {
  if (field.enumeration) return plainText(field, value);
  const shown = storedJson(field, value);
  return typeof shown === 'object' && shown?.kind === 'number' ? shown.text : String(shown);
}

interface KeyPart {
  readonly name: string;
  readonly field: Field;
  /** As `/$value` shows it. */
  readonly text: string;
}

function keyPredicate(parts: readonly KeyPart[]): string {
  const [only, ...others] = parts;
  if (only === undefined) return '';
  return others.length === 0
    ? `(${keyValue(only)})`
    : `(${parts.map((part) => `${encodeURIComponent(part.name)}=${keyValue(part)}`).join(',')})`;
}

function keyValue({ field, text }: KeyPart): string {
  if (field.enumeration) return `${encodeURIComponent(field.enumeration.qualifiedName)}'${encodeURIComponent(text)}'`;
  if (field.type === 'Edm.Duration') return `duration'${text}'`;
  return field.type === 'Edm.String' ? `'${encodeURIComponent(text.replaceAll("'", "''"))}'` : encodeURIComponent(text);
}
