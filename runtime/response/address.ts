import { type EntityType, type Field, keyColumnOf, keyFieldOf } from '../edm/index.js';
import type { AddressPart, SelectedColumn, Selection } from '../plan/read-plan.js';
import { storedJson } from '../plan/value/value-text.js';
import { plainText } from './cell.js';
import { localName } from '../edm/lookup.js';

/** The location of contained entities. */
export interface Within {
  /** The path at which they were read, without the last key, relative to the service root. */
  readonly path: string;
  /** Whether it is a single-valued path, without a key. */
  readonly alone: boolean;
}

/** The canonical URL of an entity relative to the service root: `Property('100')` (URL conventions 4.3). */
export function entityPath(
  type: EntityType,
  keyColumns: readonly Pick<SelectedColumn, 'name' | 'field'>[],
  keys: readonly (string | null)[],
  within?: Within,
): string {
  if (type.singleton !== undefined) return encodeURIComponent(type.singleton);
  // A contained entity is addressed below its parent, and without a key where it is single-valued.
  if (type.contained === 'one' || within?.alone) return within?.path ?? encodeURIComponent(type.name);
  const key = keyPredicate(keyColumns.map(({ name, field }, index) => ({ name, field, text: plainText(field, keys[index] ?? '') })));
  // Names may have any letters, but a header only ASCII.
  return `${within?.path ?? encodeURIComponent(type.entitySet ?? type.familySet ?? familyName(type))}${key}`;
}

// An entity of no set has no address, but its id must not depend on the type of the answer.
function familyName({ name, baseTypes = [] }: EntityType): string {
  const first = baseTypes.at(-1) ?? name;
  return localName(first);
}

/** The type cast after an entity's address, where the set's type is a base type (JSON format 4.5.9): `/Ns.Employee`. */
export function castOf({ setType, qualifiedName }: EntityType): string {
  return setType === undefined ? '' : `/${encodeURIComponent(qualifiedName)}`;
}

/** The location of the contained entities of a selection; undefined where they have no address. */
export function withinOf({ address }: Pick<Selection, 'address'>): Within | undefined {
  if (address === undefined) return undefined;
  // The key precedes a type cast.
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
  // Key properties that the parent determines are omitted (URL conventions 4.3.3).
  return `${encodePath(name)}${keyPredicate(parts.filter((part) => part !== undefined))}`;
}

/** A path, percent-encoded; containment in a complex value has a path as its name. */
export function encodePath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

// An entity may have been found by its `#id`, the generated part of its key.
function keyPart(name: string, type: EntityType, key: NonNullable<AddressPart['key']>): KeyPart | undefined {
  const found = key.find(({ column }) => column === keyColumnOf(type, name)) ?? key.find(({ column }) => column === '#id');
  if (found === undefined) return undefined;
  const field: Field = keyFieldOf(type, name) ?? { type: 'Edm.String' };
  return { name, field, text: askedText(field, found.value) };
}

// A request may write a value in several forms; addresses have the canonical one.
function askedText(field: Field, value: string): string {
  if (field.enumeration) return plainText(field, value);
  const shown = storedJson(field, value);
  return typeof shown === 'object' && shown?.kind === 'number' ? shown.text : String(shown);
}

interface KeyPart {
  readonly name: string;
  readonly field: Field;
  /** The text as in `/$value`. */
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
