import { own, targetOf, type EntityType, type StoredRecord, type ValueWay } from '../edm/index.js';
import { isArray, isNumber, isObject, type Json, type JsonArray } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';
import { printJson } from '../json/print-json.js';
import { accessTo, rootOf } from '../plan/caller.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import { compileSeenNumbers } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';
import { itemsOf, valuesAt } from './item-links.js';
import type { WriteScope } from './write-scope.js';

/**
 * The values of an update, in which items lead on to records that the caller does not see: he was shown nothing there, and
 * did not mean to take it away. An item is known again by its address, by what he saw of it, or by its place among as many.
 */
export async function withUnseenLinks(
  { type, items }: Pick<WritePlan, 'type' | 'items'>,
  values: StoredRecord,
  stored: StoredRecord,
  connection: Connection,
  scope: WriteScope,
): Promise<StoredRecord> {
  // Where one comes or goes at its address, nobody has said anything of the others.
  if (type.itemNavigation === undefined || (items && items.kind !== 'change')) return values;
  const kept = new Map(values);
  for (const root of new Set(Object.keys(type.itemNavigation).map(rootOf))) {
    const [before, after] = [stored.get(root), values.get(root)];
    if (typeof before !== 'string' || typeof after !== 'string' || before === after) continue;
    const was = parseValue(before);
    const unseen = await unseenIn(type, root, was, connection, scope);
    if (unseen.length > 0) kept.set(root, printJson(keepIn(was, parseValue(after), unseen, { at: root, items })));
  }
  return kept;
}

/** Where items lead to records out of sight. */
interface Unseen {
  /** From the value to the items. */
  readonly way: ValueWay;
  readonly member: string;
  readonly numbers: ReadonlySet<string>;
  /** Of what leads to one record of any type the members of its other parts: who says one of them means it in place of this. */
  readonly instead: readonly string[];
}

async function unseenIn(
  type: EntityType,
  root: string,
  value: Json,
  connection: Connection,
  scope: WriteScope,
): Promise<readonly Unseen[]> {
  const found: Unseen[] = [];
  for (const [path, navigation] of Object.entries(type.itemNavigation ?? {})) {
    const [member = ''] = Object.keys(navigation.join);
    const items = itemsOf(type, path, member);
    if (items.root !== root || items.way === undefined || !member.startsWith('#') || navigation.contains !== undefined) continue;
    const numbers = [...new Set(valuesAt(value, items).map(([, number]) => number))];
    const unseen = await outOfSight(targetOf(scope.container, navigation), numbers, connection, scope);
    if (unseen.size > 0) found.push({ way: items.way, member, numbers: unseen, instead: insteadOf(type, path) });
  }
  return found;
}

function insteadOf({ itemNavigation = {}, anyItemNavigation = {} }: EntityType, path: string): readonly string[] {
  const any = Object.values(anyItemNavigation).find(({ paths, collection }) => !collection && paths.includes(path));
  return (any?.paths ?? []).filter((other) => other !== path).flatMap((other) => Object.keys(own(itemNavigation, other)?.join ?? {}));
}

/** Those of some numbers whose records the caller does not see. */
export async function outOfSight(
  target: EntityType,
  numbers: readonly string[],
  connection: Connection,
  { caller }: Pick<WriteScope, 'caller'>,
): Promise<ReadonlySet<string>> {
  if (!accessTo(target, 'read', caller).allowed) return new Set(numbers);
  if (connection.sight === undefined || numbers.length === 0) return new Set();
  const seen = new Set((await connection.run(compileSeenNumbers(target, numbers))).map(([number]) => number));
  return new Set(numbers.filter((number) => !seen.has(number)));
}

/** Where a value is, and the items that are changed at their addresses. */
interface Within extends Pick<WritePlan, 'items'> {
  readonly at: string;
}

function keepIn(before: Json, after: Json, unseen: readonly Unseen[], { at, items }: Within): Json {
  if (isArray(before) && isArray(after)) {
    const former = items?.places.has(at) ? before.items : formerItems(before, after, unseen);
    return {
      kind: 'array',
      items: after.items.map((item, index) => keepIn(former[index] ?? null, item, unseen, { at: `${at}[${index}]`, items })),
    };
  }
  if (!isObject(before) || !isObject(after)) return after;
  const members = new Map(after.members);
  const here = unseen.flatMap((one) => ofAnyType(one));
  for (const one of here) if (one.way.ends) keepMember(before.members.get(one.member), one, members);
  for (const name of new Set(here.flatMap(({ way }) => [...way.names.keys()]))) {
    const inner = here.flatMap((one) => {
      const way = one.way.names.get(name);
      return way ? [{ ...one, way }] : [];
    });
    const value = members.get(name);
    if (value !== undefined) members.set(name, keepIn(before.members.get(name) ?? null, value, inner, { at: `${at}/${name}`, items }));
  }
  return { kind: 'object', members };
}

// What only values of a derived type have is looked for in all.
function ofAnyType(unseen: Unseen): readonly Unseen[] {
  return [unseen, ...[...unseen.way.casts.values()].flatMap((way) => ofAnyType({ ...unseen, way }))];
}

// Who leaves the rest as it is leaves its order.
function keepMember(before: Json | undefined, { member, numbers, instead }: Unseen, members: Map<string, Json>): void {
  const after = members.get(member);
  const isUnseen = (json: Json): boolean => isNumber(json) && numbers.has(json.text);
  const isSaid = [member, ...instead].some((name) => members.has(name));
  if (before === undefined || (!isArray(before) && (!isUnseen(before) || isSaid))) return;
  if (!isArray(before)) return void members.set(member, before);
  const shown = { ...before, items: before.items.filter((item) => !isUnseen(item)) };
  const said = after !== undefined && isArray(after) ? after : { ...before, items: [] };
  const isSame = printJson(shown) === printJson(said);
  members.set(member, isSame ? before : { ...said, items: [...said.items, ...before.items.filter(isUnseen)] });
}

// Items that look alike to the caller are the same in the order in which they stand.
function formerItems(before: JsonArray, after: JsonArray, unseen: readonly Unseen[]): readonly (Json | undefined)[] {
  const known = new Map<string, Json[]>();
  for (const item of before.items) known.set(formOf(item, unseen), [...(known.get(formOf(item, unseen)) ?? []), item]);
  const alike = after.items.map((item) => known.get(formOf(item, unseen))?.shift());
  const left = new Set([...known.values()].flat());
  const isAsMany = before.items.length === after.items.length;
  return alike.map((found, index) => {
    const former = before.items[index];
    return (
      found ??
      (isAsMany && former !== undefined && left.has(former) && typeOf(former) === typeOf(after.items[index] ?? null) ? former : undefined)
    );
  });
}

function typeOf(json: Json): Json {
  return isObject(json) ? (json.members.get('@odata.type') ?? null) : null;
}

// What a caller is shown of an item, in one order: neither the marks of what it contains, nor numbers of what is out of sight.
function formOf(json: Json, unseen: readonly Unseen[]): string {
  if (isArray(json)) return `[${json.items.map((item) => formOf(item, unseen)).join(',')}]`;
  if (!isObject(json)) return printJson(json);
  const members = [...json.members].map(([name, value]): readonly [string, string] => [
    name,
    name.startsWith('#') ? shownNumbers(name, value, unseen) : formOf(value, unseen),
  ]);
  return `{${members
    .filter(([, form]) => form !== 'null' && form !== '[]')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, form]) => `${JSON.stringify(name)}:${form}`)
    .join(',')}}`;
}

function shownNumbers(member: string, value: Json, unseen: readonly Unseen[]): string {
  const isShown = (json: Json): boolean => isNumber(json) && !unseen.some((one) => one.member === member && one.numbers.has(json.text));
  return `[${(isArray(value) ? value.items : [value]).filter(isShown).map(printJson).join(',')}]`;
}
