import type { EntityType } from '../edm/index.js';
import { requireNoFaults } from '../errors/require-no-faults.js';
import { isArray, isNumber, isObject, type Json } from '../json/json.js';
import { printJson } from '../json/print-json.js';
import type { ValuePath } from '../plan/value/changed-items.js';
import type { Connection } from '../sql/statement.js';
import { editedAt, storedValue, valueAt } from './item-value.js';
import type { LockedRecord } from './stored-record.js';
import { missingInItems } from './required-in-items.js';
import { outOfSight } from './unseen-links.js';
import { storeChanges } from './update-record.js';
import type { WriteScope } from './write-scope.js';

/** Where an item of a locked record keeps the numbers of the records that it leads to. */
interface NumbersOf {
  readonly names: ValuePath;
  readonly member: string;
  readonly target: EntityType;
  /** It may lead to several. */
  readonly collection: boolean;
}

/** Lets an item lead to other records: the numbers of those that it leads to become those that `edit` makes of them. Those that the caller does not see stay, as he said nothing of them; what stays as it is leaves no trace. */
export async function setItemNumbers(locked: LockedRecord, { names, member, target, collection }: NumbersOf, edit: (numbers: readonly string[]) => readonly string[], connection: Connection, scope: WriteScope): Promise<void> {
  const [root = '', ...inner] = names;
  const value = storedValue(locked.record, String(root));
  const item = valueAt(value, inner);
  const before = isObject(item) ? numbersIn(item.members.get(member) ?? null) : [];
  const unseen = await outOfSight(target, before, connection, scope);
  const edited = edit(before.filter((number) => !unseen.has(number)));
  const after = collection || edited.length === 0 ? [...edited, ...unseen] : edited;
  if (after.length === before.length && before.every((number) => after.includes(number))) return;
  const [first] = after.map((text): Json => ({ kind: 'number', text }));
  const kept: Json | undefined = collection && first ? { kind: 'array', items: after.map((text) => ({ kind: 'number', text })) } : first;
  const changed = editedAt(value, inner, ({ members }) => ({ kind: 'object', members: new Map([...[...members].filter(([name]) => name !== member), ...(kept ? [[member, kept] as const] : [])]) }));
  const changes = new Map([[String(root), printJson(changed)]]);
  requireNoFaults(locked.type, missingInItems(locked.type, changes, scope.container));
  await storeChanges(locked.type, locked, changes, connection, scope);
}

// An item that led to one record before the model let it lead to several has that one.
function numbersIn(json: Json): readonly string[] {
  return (isArray(json) ? json.items : [json]).filter(isNumber).map(({ text }) => text);
}
