import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { renamedValues } from './removed-values.js';
import { inTransaction, type Decisions, type Step, batched } from './step.js';
import { isOfOtherKind, numbers, valueChangesOf, type ValueChange } from './compare-values.js';
import { lastName } from '../../runtime/edm/lookup.js';
import { databaseName } from '../graph/names/names.js';
import { memberPath, parentOf } from './moved-members.js';
import { assignment, type Home } from './moves.js';

/** Changes complex values with their types: renames, fills and removes members, and renames values of their closed lists. */
export function changeValues(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) => [
    ...noteTypes(change, wanted.name),
    ...changeWithin(wanted.name, change, editsOf(change, wanted.name, decisions), removalsOf(change)),
  ]);
}

// A step without a statement, for the plan: values keep their JSON, but services write another type from here on.
function noteTypes({ home, kept }: ValueChange, table: string): readonly Step[] {
  const changed = kept.filter(isOfOtherKind).map((one) => ({ ...one, name: quote(`${home.column.name}/${one.member.path}`) }));
  if (changed.length === 0) return [];
  const statements = changed.map(
    ({ name, before, member }) => `-- ${name} of the table ${quote(table)} changes from ${before.type} to ${member.type}; its values stay.`,
  );
  const note = `a service with the old model fails on ${changed.map(({ name }) => name).join(', ')} from this step on`;
  return [inTransaction('expand', statements, ['no lock that anyone waits for', note])];
}

const unfoundMembers = 'a service with the old model does not find renamed members from this step on';
const unknownValues = 'a service with the old model does not know these values from this step on';

function editsOf({ home, renamed, kept, required }: ValueChange, table: string, decisions: Decisions): readonly MemberEdit[] {
  const pathOf = ({ path }: ValueMember): string => `${table}/${home.column.name}/${path}`;
  return [
    ...renamed.map(({ member, from }) => ({ member, leaf: renaming(from, lastName(member.path)), note: unfoundMembers })),
    ...kept.flatMap(({ member, before }) => {
      const values = renamedValues(pathOf(member), before, member, decisions);
      return values.size === 0 ? [] : [{ member, leaf: replacing(member, values), note: unknownValues }];
    }),
    ...required.flatMap((member) => {
      const fill = decisions.fills.get(pathOf(member)) ?? member.fill;
      return fill === undefined ? [] : [{ member, leaf: filling(member, jsonOf(fill, member.type)) }];
    }),
  ];
}

function removalsOf({ gone }: ValueChange): readonly MemberEdit[] {
  return gone.map(({ now: member }) => ({ member, leaf: (value) => `${value} - ${literal(lastName(member.path))}` }));
}

// A value with the new name was written by a service of the new model.
function renaming(from: string, to: string): Leaf {
  return (value) =>
    `case when ${value} ? ${literal(from)} then jsonb_build_object(${literal(to)}, ${value} -> ${literal(from)}) || (${value} - ${literal(from)}) else ${value} end`;
}

// A collection may be null where its value was written before it was one.
function replacing({ path, type }: ValueMember, values: ReadonlyMap<string, string>): Leaf {
  const name = literal(lastName(path));
  const cases = [...values].map(([from, to]) => `when ${literal(from)} then to_jsonb(${literal(to)}::text)`).join(' ');
  const replaced = (one: string): string => `case ${one} #>> '{}' ${cases} else ${one} end`;
  const items = (all: string): string =>
    `case jsonb_typeof(${all}) when 'array' then (select coalesce(jsonb_agg(${replaced('"item"."value"')} order by "item"."n"), '[]') from jsonb_array_elements(${all}) with ordinality as "item"("value", "n")) else ${all} end`;
  return (value) => {
    const member = `(${value} -> ${name})`;
    return `case when ${value} ? ${name} then ${value} || jsonb_build_object(${name}, ${type.startsWith('Collection(') ? items(member) : replaced(member)}) else ${value} end`;
  };
}

// A null is no value.
function filling({ path }: ValueMember, json: string): Leaf {
  const name = literal(lastName(path));
  return (value) =>
    `case when coalesce(${value} -> ${name}, 'null') = 'null' then ${value} || jsonb_build_object(${name}, ${json}) else ${value} end`;
}

/** The types of members that JSON writes without quotes. */
export const bare: ReadonlySet<string> = new Set([...numbers, 'Edm.Boolean', 'Edm.ComplexType', 'enumeration']);

function jsonOf(fill: string, type: string): string {
  // A default for a member that may refer to several tables names the table.
  return bare.has(type.replace(/ of .*/s, '')) ? `${fill}::jsonb` : `to_jsonb(${fill}::text)`;
}

/** Changes complex values and those within them, with a recursive function that exists during the migration. */
function changeWithin(table: string, change: ValueChange, changes: readonly MemberEdit[], removed: readonly MemberEdit[]): readonly Step[] {
  const { home } = change;
  const walk = quote(databaseName(`${table}#${home.column.name}#within`));
  const rows = (phase: Step['phase'], notes: readonly string[]): Step =>
    batched(phase, table, `update ${quote(table)} set ${setStored(home, (value) => `${walk}(${value}, '')`)}`, notes);
  const make = (phase: Step['phase'], edits: readonly MemberEdit[]): Step =>
    inTransaction(phase, [printWalk(walk, change.members, edits)], [`creates ${walk}, which the last phase drops`]);
  const notes = [...new Set(changes.flatMap(({ note }) => note ?? []))].map((note) => `${quote(home.column.name)}: ${note}`);
  const lost = removed.length === 0 ? [] : [`removes members of ${quote(home.column.name)}`];
  return [
    ...(changes.length === 0 ? [] : [make('expand', changes), rows('backfill', notes)]),
    ...(removed.length === 0 ? [] : [make('contract', [...changes, ...removed])]),
    ...(changes.length + removed.length === 0
      ? []
      : [rows('contract', lost), inTransaction('contract', [`drop function ${walk}(jsonb, text);`], [`drops ${walk}`])]),
  ];
}

/** Creates the function; its name is quoted. "at" is the path of the value. */
function printWalk(walk: string, members: ValueChange['members'], edits: readonly MemberEdit[]): string {
  const each = `(select coalesce(jsonb_agg(${walk}("item"."value", "at") order by "item"."n"), '[]') from jsonb_array_elements("of") with ordinality as "item"("value", "n"))`;
  const places = placesOf(members, edits).map(({ path, inside, here }) => {
    const statements = [
      ...here.map(({ member, leaf }) => where(member, [], `"of" := ${leaf('"of"')};`)),
      ...inside.map((member) => descend(walk, member)),
    ];
    return `if "at" = ${literal(path)} then ${statements.join(' ')} end if;`;
  });
  const body = `begin if jsonb_typeof("of") = 'array' then return ${each}; end if; if jsonb_typeof("of") <> 'object' then return "of"; end if; ${places.join(' ')} return "of"; end`;
  // A default value of the model may contain any dollar quote.
  return `create or replace function ${walk}("of" jsonb, "at" text) returns jsonb language plpgsql as ${literal(body)};`;
}

function descend(walk: string, member: ValueMember): string {
  const name = literal(lastName(member.path));
  return where(
    member,
    [`"of" ? ${name}`],
    `"of" := "of" || jsonb_build_object(${name}, ${walk}("of" -> ${name}, ${literal(member.path)}));`,
  );
}

// A condition on the type, where only some types have the member.
function where({ of }: ValueMember, conditions: readonly string[], statement: string): string {
  const all = [
    ...conditions,
    ...(of === undefined ? [] : [`"of" ->> '@odata.type' in (${of.map((type) => literal(`#${type}`)).join(', ')})`]),
  ];
  return all.length === 0 ? statement : `if ${all.join(' and ')} then ${statement} end if;`;
}

/** The edits at one path of nested values, with the members that continue it. */
interface WalkedPlace {
  readonly path: string;
  readonly here: readonly MemberEdit[];
  readonly inside: readonly ValueMember[];
}

function placesOf(members: ValueChange['members'], edits: readonly MemberEdit[]): readonly WalkedPlace[] {
  const all = [...members.values()];
  const paths = new Set(all.map(placeOf));
  return [...paths].map((path) => ({
    path,
    here: edits.filter(({ member }) => placeOf(member) === path),
    inside: all.filter((member) => placeOf(member) === path && paths.has(member.path)),
  }));
}

function placeOf({ path }: ValueMember): string {
  return memberPath(parentOf(path));
}

/** The SQL of an object's new value from the old one. */
type Leaf = (value: string) => string;

/** An edit of all objects that have a member. */
interface MemberEdit {
  readonly member: ValueMember;
  readonly leaf: Leaf;
  /** Its effect on a service with the old model. */
  readonly note?: string;
}

/** The assignment of a changed value, with the condition that it changes. */
function setStored({ column, shared }: Home, change: Leaf): string {
  const stored = quote(shared ?? column.name);
  const value = shared === undefined ? stored : `(${stored} ->> ${literal(column.name)})::jsonb`;
  const changed = change(value);
  return `${assignment({ column, shared }, changed)} where ${value} is not null and ${changed} is distinct from ${value}`;
}
