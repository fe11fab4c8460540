import type { EntityType } from '../edm/index.js';
import { requireNoFaults } from '../errors/require-no-faults.js';
import { isArray, isNumber, isObject, type Json, type JsonObject } from '../json/json.js';
import { printJson } from '../json/print-json.js';
import type { ValuePath } from '../plan/value/changed-items.js';
import type { Connection } from '../sql/statement.js';
import { editedAt, storedValue, valueAt } from './item-value.js';
import type { LockedRecord } from './stored-record.js';
import { missingInItems } from './required-in-items.js';
import { outOfSight } from './unseen-links.js';
import { storeChanges } from './update-record.js';
import type { WriteScope } from './write-scope.js';

/** The number of a record that an item leads to, and the member of the item that keeps it. */
export interface KeptNumber {
  readonly member: string;
  readonly number: string;
}

/** Where an item of a locked record keeps the numbers of the records that it leads to. */
interface NumbersOf {
  readonly names: ValuePath;
  /** The members, and the records that each is of: one, or one for each set that records of any type may be in. */
  readonly members: ReadonlyMap<string, EntityType>;
  /** It may lead to several. */
  readonly collection: boolean;
}

/** Lets an item lead to other records: the numbers of those that it leads to become those that `edit` makes of them. Those that the caller does not see stay, as he said nothing of them; what stays as it is leaves no trace. */
export async function setItemNumbers(
  locked: LockedRecord,
  { names, members, collection }: NumbersOf,
  edit: (kept: readonly KeptNumber[]) => readonly KeptNumber[],
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  const [root = '', ...inner] = names;
  const value = storedValue(locked.record, String(root));
  const item = valueAt(value, inner);
  const before = isObject(item) ? [...members.keys()].flatMap((member) => numbersIn(item, member)) : [];
  const unseen = await unseenOf(before, members, connection, scope);
  const edited = edit(before.filter((one) => !unseen.includes(one)));
  const after = collection || edited.length === 0 ? [...edited, ...unseen] : edited;
  if (after.length === before.length && before.every((one) => isAmong(after, one))) return;
  const changed = editedAt(value, inner, (json) => withNumbers(json, members, after, collection));
  const changes = new Map([[String(root), printJson(changed)]]);
  requireNoFaults(locked.type, missingInItems(locked.type, changes, scope.container));
  await storeChanges(locked.type, locked, changes, connection, scope);
}

/** Whether a number is among others. */
export function isAmong(all: readonly KeptNumber[], one: KeptNumber): boolean {
  return all.some(({ member, number }) => member === one.member && number === one.number);
}

// An item that led to one record before the model let it lead to several has that one.
function numbersIn({ members }: JsonObject, member: string): readonly KeptNumber[] {
  const json = members.get(member) ?? null;
  return (isArray(json) ? json.items : [json]).filter(isNumber).map(({ text: number }) => ({ member, number }));
}

async function unseenOf(
  kept: readonly KeptNumber[],
  members: NumbersOf['members'],
  connection: Connection,
  scope: WriteScope,
): Promise<readonly KeptNumber[]> {
  const unseen: KeptNumber[] = [];
  for (const [member, target] of members) {
    const own = kept.filter((one) => one.member === member);
    const numbers = await outOfSight(
      target,
      own.map(({ number }) => number),
      connection,
      scope,
    );
    unseen.push(...own.filter(({ number }) => numbers.has(number)));
  }
  return unseen;
}

function withNumbers(item: JsonObject, members: NumbersOf['members'], kept: readonly KeptNumber[], collection: boolean): JsonObject {
  const written = [...members.keys()].flatMap((member): readonly (readonly [string, Json])[] => {
    const items = kept.filter((one) => one.member === member).map(({ number: text }): Json => ({ kind: 'number', text }));
    return items.slice(0, 1).map((first) => [member, collection ? { kind: 'array', items } : first]);
  });
  return { kind: 'object', members: new Map([...[...item.members].filter(([name]) => !members.has(name)), ...written]) };
}
