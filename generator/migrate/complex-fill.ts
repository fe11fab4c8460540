import { lastName } from '../../runtime/edm/lookup.js';
import type { Column, ValueMember } from '../../runtime/schema/schema.js';
import { isJsonArray } from './change-type.js';
import { bare } from './change-values.js';
import { memberPath, parentOf } from './moved-members.js';

/** A JSON object, as it is parsed. */
type Members = { readonly [name: string]: unknown };

/** Why a text is no value of the member at a path, which is no complex one, as the end of a sentence. */
type CheckMember = (path: string, text: string) => string | undefined;

/** The values that are checked: the members of a column's values, and the check of one. */
interface Checked {
  readonly within: readonly ValueMember[];
  readonly checkMember: CheckMember;
}

/** Why a text is no value of a single complex column, or of such a member of its values, as the end of a sentence. */
export function complexFault(column: Column, path: string, text: string, checkMember: CheckMember): string | undefined {
  const { within = [] } = column;
  const place = path === '' ? !isJsonArray(column) && column : within.find((one) => one.path === path && !isCollection(one));
  if (!place || place.complex === undefined) return undefined;
  const value = parsed(text);
  if (!isObject(value)) return 'is no JSON object';
  return objectFault(value, { path, hint: place.complex }, { within, checkMember });
}

function isCollection({ type }: ValueMember): boolean {
  return type.startsWith('Collection(');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectFault(
  value: Members,
  { path, hint }: { readonly path: string; readonly hint: Column['complex'] },
  checked: Checked,
): string | undefined {
  const type = String(value['@odata.type'] ?? '').replace(/^#/, '');
  const known = checked.within.filter((member) => placeOf(member) === path && (member.of?.includes(type) ?? true));
  const names = new Set(known.map((member) => lastName(member.path)));
  const unknown = Object.keys(value).find((name) => !name.startsWith('@') && !names.has(name));
  if (unknown !== undefined && hint?.open !== true) return `has ${unknown}, which ${hint?.name} has not`;
  return known.map((member) => memberFault(value[lastName(member.path)] ?? undefined, member, checked)).find((why) => why !== undefined);
}

function placeOf({ path }: ValueMember): string {
  return memberPath(parentOf(path));
}

function memberFault(value: unknown, member: ValueMember, checked: Checked): string | undefined {
  const name = lastName(member.path);
  if (value === undefined) return member.notNull ? `lacks ${name}, which is required` : undefined;
  if (!isCollection(member)) return valueFault(value, member, checked);
  if (!Array.isArray(value)) return `has no array for ${name}`;
  return value.map((item: unknown) => valueFault(item, member, checked)).find((why) => why !== undefined);
}

function valueFault(value: unknown, member: ValueMember, checked: Checked): string | undefined {
  return member.complex === undefined ? plainFault(value, member, checked) : nestedFault(value, member, checked);
}

// Rows have the numbers of enumerations, and infinity as text.
function plainFault(value: unknown, { path, type, members }: ValueMember, { checkMember }: Checked): string | undefined {
  const [name, text] = [lastName(path), typeof value === 'string' ? value : JSON.stringify(value)];
  const why = checkMember(path, text);
  if (why !== undefined) return `is not valid: ${name} ${why}`;
  const isQuoted = typeof value === 'string' && bare.has(itemType(type)) && !/^(?:-?INF|NaN)$/.test(value);
  return isQuoted ? `has "${text}" for ${name}, where rows have ${members?.[text] ?? text}` : undefined;
}

function itemType(type: string): string {
  return type.replace(/^Collection\((.*)\)$/, '$1');
}

// Members of types that lie within themselves are not described.
function nestedFault(value: unknown, { path, type, complex }: ValueMember, checked: Checked): string | undefined {
  if (!isObject(value)) return `has no object for ${lastName(path)}`;
  return itemType(type) === 'Edm.ComplexType' ? objectFault(value, { path, hint: complex }, checked) : undefined;
}
