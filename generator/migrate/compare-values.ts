import { literal } from '../../runtime/schema/identifier.js';
import type { Column, Table, ValueMember } from '../../runtime/schema/schema.js';
import { narrowingOf, type Narrowing } from './member-facets.js';
import { removedValues, renamedValues } from './removed-values.js';
import { memberPath, nameIn, parentOf } from './member-path.js';
import { homesOf, type Home } from './moves.js';
import { renamedTypes } from './record-types.js';
import type { Decisions } from './step.js';

/** The changes of the complex values in one column or shared member of a table. */
export interface ValueChange {
  readonly home: Home;
  /** The location of the values before the migration. */
  readonly formerHome: Home;
  /** The members of the values after all renames. */
  readonly members: ReadonlyMap<string, ValueMember>;
  /** Renamed members, outer ones first. */
  readonly renamed: readonly KeptMember[];
  /** Removed members, with their paths after all renames. */
  readonly gone: readonly GoneMember[];
  /** Members that become required. */
  readonly required: readonly ValueMember[];
  readonly added: readonly ValueMember[];
  readonly retyped: readonly KeptMember[];
  /** Single members that become collections. */
  readonly wrapped: readonly KeptMember[];
  /** Collections that become single: only the first item stays. */
  readonly unwrapped: readonly KeptMember[];
  /** Members that change from an enumeration to text: numbers become names. */
  readonly spelled: readonly KeptMember[];
  /** Members whose facets shrink. */
  readonly narrowed: readonly NarrowedMember[];
  /** Members whose closed list has renamed values: new ones by old ones. */
  readonly relisted: readonly (KeptMember & { readonly values: ReadonlyMap<string, string> })[];
  /** Collections whose items could be null, and no longer can. */
  readonly withoutNulls: readonly KeptMember[];
  /** Members that existed before. */
  readonly kept: readonly KeptMember[];
  /** The members before, by their old paths. */
  readonly before: MembersBefore;
  /** Old paths by new ones. */
  readonly formerOf: ReadonlyMap<string, string>;
}

/** A member that existed before, with its earlier definition and name. */
interface KeptMember {
  readonly member: ValueMember;
  readonly before: ValueMember;
  readonly from: string;
}

/** A member whose values may no longer fit. */
export interface NarrowedMember extends KeptMember {
  readonly narrowing: Narrowing;
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
  const before = new Map(homesOf(old).map((home) => [home.column.name, home]));
  return homesOf(wanted).flatMap((home) => {
    const former = before.get(home.column.name);
    return former?.column.within === undefined || home.column.within === undefined
      ? []
      : [compare(former, home, `${wanted.name}/${home.column.name}`, decisions)];
  });
}

function compare(formerHome: Home, home: Home, place: string, decisions: Decisions): ValueChange {
  const old = formerHome.column;
  const now = home.column.within ?? [];
  const named = nameNow(old, home);
  const before = membersBefore(old, named);
  const formerOf = formerPaths(now, before, place, decisions);
  const was = ({ path }: ValueMember): ValueMember | undefined => before.get(formerOf.get(path) ?? '');
  const kept = now.flatMap((member) => keptMember(member, was(member), formerOf));
  const valuesOf = (one: KeptMember): ReadonlyMap<string, string> =>
    renamedValues(`${place}/${one.member.path}`, one.before, one.member, decisions);
  // Members of a value that is new are added with it.
  const news = now.filter((member) => was(member) === undefined);
  const isWithinNew = ({ path }: ValueMember): boolean => news.some((other) => path.startsWith(`${other.path}/`));
  return {
    home,
    formerHome,
    before,
    formerOf,
    members: new Map(now.map((member) => [member.path, member])),
    renamed: kept.filter(({ member, from }) => from !== nameIn(member.path)),
    gone: goneOf(before, new Set(kept.map((one) => one.before))).map(([path, member]) => ({
      member,
      now: { ...member, path: pathNow(path, formerOf), ...(member.of && { of: member.of.map(named) }) },
    })),
    added: news.filter((member) => !isWithinNew(member)),
    required: now.filter((member) => member.notNull && !was(member)?.notNull && !isWithinNew(member)),
    kept,
    retyped: kept.filter((one) => !isAlike(one.before.type, one.member.type) && ![isWrapped, isUnwrapped, isSpelled].some((is) => is(one))),
    wrapped: kept.filter(isWrapped),
    unwrapped: kept.filter(isUnwrapped),
    spelled: kept.filter(isSpelled),
    narrowed: kept
      .filter((one) => isAlike(one.before.type, one.member.type))
      .flatMap((one) => [...narrowingOf(one), ...unlisted(one, valuesOf(one))].map((narrowing) => ({ ...one, narrowing }))),
    relisted: kept.map((one) => ({ ...one, values: valuesOf(one) })).filter(({ values }) => values.size > 0),
    withoutNulls: kept.filter((one) => one.before.nullItems && !one.member.nullItems),
  };
}

// Removed values of a closed list, which no value may have.
function unlisted({ before, member }: KeptMember, renamed: ReadonlyMap<string, string>): readonly Narrowing[] {
  const lost = removedValues(before, member).filter((value) => !renamed.has(value));
  const list = lost.map(literal).join(', ');
  return lost.length === 0
    ? []
    : [{ misfit: (value) => `${value} #>> '{}' in (${list})`, cut: undefined, why: `a value ${lost.map(literal).join(' or ')} stops it` }];
}

function membersBefore(old: Column, named: (name: string) => string): MembersBefore {
  return new Map((old.within ?? []).map((member) => [member.path.split('/').map(named).join('/'), member]));
}

// The new names of types; anything else keeps its name.
function nameNow(old: Column, { column }: Home): (name: string) => string {
  const types = renamedTypes(old.valueTypes ?? [], column.valueTypes ?? [], column.typesFrom ?? {});
  return (name) => types.get(name) ?? name;
}

// Members keep their names unless those are new; outer members come first, since their names are part of the path.
function formerPaths(
  now: readonly ValueMember[],
  before: MembersBefore,
  place: string,
  { renamed }: Decisions,
): ReadonlyMap<string, string> {
  const formerOf = new Map<string, string>();
  for (const { path, renamedFrom } of now) {
    const parent = parentOf(path);
    const around = `${formerOf.get(memberPath(parent)) ?? memberPath(parent)}${parent.slice(memberPath(parent).length)}`;
    const same = `${around}${nameIn(path)}`;
    const said = renamedFrom === undefined ? undefined : `${around}${renamedFrom}`;
    const chosen = [...before.keys()].find((one) => parentOf(one) === around && renamed.get(`${place}/${one}`) === nameIn(path));
    formerOf.set(path, before.has(same) ? same : ([chosen, said].find((one) => one !== undefined && before.has(one)) ?? same));
  }
  return formerOf;
}

function keptMember(member: ValueMember, before: ValueMember | undefined, formerOf: ReadonlyMap<string, string>): readonly KeptMember[] {
  return before === undefined ? [] : [{ member, before, from: nameIn(formerOf.get(member.path) ?? '') }];
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
  return `${now}${parent.slice(around.length)}${nameIn(path)}`;
}

function isWrapped({ before, member }: KeptMember): boolean {
  return member.type === `Collection(${before.type})` && !isAlike(before.type, member.type);
}

function isUnwrapped({ before, member }: KeptMember): boolean {
  return before.type === `Collection(${member.type})` && !isAlike(before.type, member.type);
}

function isSpelled({ before, member }: KeptMember): boolean {
  return before.members !== undefined && member.type === before.type.replace('enumeration', 'Edm.String');
}

const numbers = ['Edm.SByte', 'Edm.Byte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal', 'Edm.Single', 'Edm.Double'];
const notText: ReadonlySet<string> = new Set([...numbers, 'enumeration', 'Edm.Boolean', 'Edm.ComplexType', 'Edm.Untyped']);

// Whether JSON of one type is valid for the other.
function isAlike(from: string, to: string): boolean {
  if (from === to || to === 'Edm.Untyped') return true;
  if (numbers.includes(from) && numbers.includes(to)) return numbers.indexOf(from) < numbers.indexOf(to);
  return to === 'Edm.String' && !notText.has(from) && !from.startsWith('Collection(');
}
