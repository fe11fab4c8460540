import { primitives } from '../../runtime/edm/index.js';
import { literal } from '../../runtime/schema/identifier.js';
import type { Column, Table, ValueMember } from '../../runtime/schema/schema.js';
import { changeType } from './change-type.js';
import { isShorterBinary, isSingleNow } from './narrower.js';
import { removedValues } from './removed-values.js';
import {
  hiddenMembers,
  isSameMember,
  movedMembers,
  wasRequired,
  type HiddenMember,
  type KeptMember,
  memberPath,
  parentOf,
} from './moved-members.js';
import { keptHomes, type Home } from './moves.js';
import { renamedTypes } from './record-types.js';
import type { Decisions } from './step.js';
import { lastName } from '../../runtime/edm/lookup.js';

/** The changes of the complex values in one column or shared member of a table. */
export interface ValueChange {
  readonly home: Home;
  /** Their location before. */
  readonly former: Home;
  /** The members of the values after all renames. */
  readonly members: ReadonlyMap<string, ValueMember>;
  /** Renamed members, outer ones first. */
  readonly renamed: readonly KeptMember[];
  /** Removed members, with their paths after all renames. */
  readonly gone: readonly GoneMember[];
  /** Members that become required. */
  readonly required: readonly ValueMember[];
  readonly added: readonly ValueMember[];
  /** Members that existed before, in the same type or another one of the hierarchy. */
  readonly kept: readonly KeptMember[];
  /** Members that fewer types have than before, with these types; other values keep them. */
  readonly hidden: readonly HiddenMember[];
  /** The members before, by their old paths. */
  readonly before: MembersBefore;
  /** Old paths by new ones. */
  readonly formerOf: ReadonlyMap<string, string>;
}

/** A removed member: its definition, and the same under the new names of what contains it. */
export interface GoneMember {
  readonly member: ValueMember;
  readonly now: ValueMember;
}

/** Members by their old paths, with the new names of types. */
type MembersBefore = ReadonlyMap<string, ValueMember>;

/** Compares the complex values of two tables with one name. */
export function valueChangesOf(old: Table, wanted: Table, decisions: Decisions): readonly ValueChange[] {
  return keptHomes(old, wanted).flatMap(({ former, home }) =>
    former.column.within && home.column.within ? [compare(former, home, `${wanted.name}/${home.column.name}`, decisions)] : [],
  );
}

function compare(former: Home, home: Home, place: string, decisions: Decisions): ValueChange {
  const { column: old } = former;
  const now = home.column.within ?? [];
  const named = nameNow(old, home);
  const before = new Map((old.within ?? []).map((member) => [member.path.split('/').map(named).join('/'), member]));
  const formerOf = formerPaths(now, before, place, decisions);
  const was = ({ path }: ValueMember): ValueMember | undefined => before.get(formerOf.get(path) ?? '');
  const same = now.flatMap((member) => keptMember(member, was(member), formerOf));
  const lost = goneOf(before, new Set(same.map((one) => one.before)));
  const moved = lost.flatMap(([path, member]) =>
    movedMembers(path, now, formerOf).map((to) => ({ member: to, before: member, from: lastName(path) })),
  );
  const kept = [...same, ...moved];
  // Members of a value that is new are added with it.
  const news = now.filter((member) => was(member) === undefined);
  const isWithinNew = ({ path }: ValueMember): boolean => news.some((other) => path.startsWith(`${other.path}/`));
  return {
    home,
    former,
    before,
    formerOf,
    members: new Map(now.map((member) => [member.path, member])),
    renamed: kept.filter(({ member, from }) => from !== lastName(member.path)),
    gone: lost
      .filter(([, member]) => !moved.some((one) => one.before === member))
      .map(([path, member]) => ({
        member,
        now: { ...member, path: pathNow(path, formerOf), ...(member.of && { of: member.of.map(named) }) },
      })),
    hidden: hiddenMembers(kept, (type) => (home.column.valueTypes?.includes(named(type)) ? named(type) : undefined)),
    added: news.filter((member) => !isWithinNew(member)),
    required: now.filter((member) => member.notNull && !wasRequired(member, kept, old.valueTypes ?? [], named) && !isWithinNew(member)),
    kept,
  };
}

// The new names of types; anything else keeps its name.
function nameNow(old: Column, { column }: Home): (name: string) => string {
  const types = renamedTypes(old.valueTypes ?? [], column.valueTypes ?? [], column.typesFrom ?? {});
  return (name) => types.get(name) ?? name;
}

// Members keep their names unless those are new; outer members come first, since their names are part of the path.
function formerPaths(now: readonly ValueMember[], before: MembersBefore, place: string, { renamed }: Decisions): ValueChange['formerOf'] {
  const formerOf = new Map<string, string>();
  const paths = new Set(now.map(({ path }) => path));
  for (const { path, renamedFrom } of now) {
    const parent = parentOf(path);
    const around = `${formerOf.get(memberPath(parent)) ?? memberPath(parent)}${parent.slice(memberPath(parent).length)}`;
    const same = `${around}${lastName(path)}`;
    const stated = renamedFrom === undefined ? undefined : `${around}${renamedFrom}`;
    const chosen = [...before.keys()].find((one) => parentOf(one) === around && renamed.get(`${place}/${one}`) === lastName(path));
    const declared = before.has(same) ? same : [chosen, stated].find((one) => one !== undefined && before.has(one));
    formerOf.set(path, declared ?? [...before.keys()].find((one) => !paths.has(one) && isSameMember(one, same)) ?? same);
  }
  return formerOf;
}

function keptMember(member: ValueMember, before: ValueMember | undefined, formerOf: ReadonlyMap<string, string>): readonly KeptMember[] {
  return before === undefined ? [] : [{ member, before, from: lastName(formerOf.get(member.path) ?? '') }];
}

// Members of a removed value are not reported separately.
function goneOf(before: MembersBefore, kept: ReadonlySet<ValueMember>): readonly (readonly [path: string, member: ValueMember])[] {
  const gone = [...before].filter(([, member]) => !kept.has(member));
  return gone.filter(([path]) => !gone.some(([around]) => path.startsWith(`${around}/`)));
}

function pathNow(path: string, formerOf: ReadonlyMap<string, string>): string {
  const parent = parentOf(path);
  const around = memberPath(parent);
  const [now = around] = [...formerOf].find(([, former]) => former === around) ?? [];
  return `${now}${parent.slice(around.length)}${lastName(path)}`;
}

/**
 * The reasons why values of a kept member may not fit its new definition, each as a predicate; values keep their form.
 * Removed values of its closed list that are decided are no reason.
 */
export function misfitsOf({ before, member }: KeptMember, isDecided: (value: string) => boolean): readonly string[] {
  const lost = removedValues(before, member).filter((value) => !isDecided(value));
  return [
    ...(isAlike(before.type, member.type) ? narrowingOf(before, member) : [changedTypes(before.type, member.type)]),
    ...(member.members !== undefined && isSingleNow(before, member) ? ['no longer combines members'] : []),
    ...(before.nullItems && !member.nullItems ? ['has items that are no longer nullable'] : []),
    ...(lost.length === 0 ? [] : [`no longer allows ${lost.map(literal).join(' and ')}`]),
  ];
}

// The hash stands for the members of a complex type.
function changedTypes(...types: readonly [from: string, to: string]): string {
  const [from, to] = types.map((type) => type.replace(/(?<=Edm\.ComplexType) \w+/, ''));
  return from === to ? 'has other members' : `changed from ${from} to ${to}`;
}

/** Whether a service that knows the member with its former type fails on values of the new one. */
export function isOfOtherKind({ before, member }: KeptMember): boolean {
  return kindOf(before.type) !== kindOf(member.type);
}

// Without the hash of a complex type's members.
function kindOf(type: string): string {
  return type.replace(/(Edm\.\w+)( \w+)?/, (_all, name: string) => (numbers.includes(name) ? 'number' : name));
}

// The same as for a column of the type.
function narrowingOf(before: ValueMember, member: ValueMember): readonly string[] {
  if (isShorterBinary(before.edm, member.edm)) return [`changed from ${before.edm} to ${member.edm}`];
  const [from, to] = [sqlOf(before), sqlOf(member)];
  const change = from === undefined || to === undefined ? undefined : changeType({ name: '', type: from }, { name: '', type: to });
  return change?.effect === 'checked' || change?.effect === 'lossy' ? [`changed from ${from} to ${to}`] : [];
}

function sqlOf({ type, sql }: ValueMember): string | undefined {
  const item = type.replace(/^Collection\((.*)\)$/, '$1');
  return sql ?? Object.entries(primitives).find(([name]) => name === item)?.[1].sql;
}

/** The numeric types, each after those whose values it has. */
export const numbers = ['Edm.SByte', 'Edm.Byte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal', 'Edm.Single', 'Edm.Double'];
const notText: ReadonlySet<string> = new Set([...numbers, 'enumeration', 'Edm.Boolean', 'Edm.ComplexType', 'Edm.Untyped']);

// Whether JSON of one type is valid for the other.
function isAlike(from: string, to: string): boolean {
  if (from === to || to === 'Edm.Untyped') return true;
  // Its negative numbers are none.
  if (from === 'Edm.SByte' && to === 'Edm.Byte') return false;
  if (numbers.includes(from) && numbers.includes(to)) return numbers.indexOf(from) < numbers.indexOf(to);
  return to === 'Edm.String' && !notText.has(from) && !from.startsWith('Collection(');
}
