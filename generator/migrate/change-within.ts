import { literal, quote } from '../../runtime/schema/identifier.js';
import type { ValueMember } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import type { ValueChange } from './compare-values.js';
import { setStored, type MemberEdit } from './member-edit.js';
import { memberPath, parentOf } from './member-path.js';
import { batched } from './row-steps.js';
import { inTransaction, type Step } from './step.js';
import { lastName } from '../../runtime/edm/lookup.js';

/** Changes complex values and those within them, with a recursive function that exists during the migration. */
export function changeWithin(
  table: string,
  change: ValueChange,
  changes: readonly MemberEdit[],
  removals: readonly MemberEdit[],
): readonly Step[] {
  const { home } = change;
  const walk = quote(databaseName(`${table}#${home.column.name}#within`));
  const rows = (phase: Step['phase'], notes: readonly string[]): Step =>
    batched(phase, table, `update ${quote(table)} set ${setStored(home, (value) => `${walk}(${value}, '')`)}`, notes);
  const make = (phase: Step['phase'], edits: readonly MemberEdit[]): Step =>
    inTransaction(phase, [printWalk(walk, change.members, edits)], [`creates ${walk}, which the last phase drops`]);
  const notes = [...new Set(changes.flatMap(({ note }) => note ?? []))].map((note) => `${quote(home.column.name)}: ${note}`);
  const lost = removals.length === 0 ? [] : [`removes members of ${quote(home.column.name)}`];
  return [
    ...(changes.length === 0 ? [] : [make('expand', changes), rows('backfill', notes)]),
    ...(removals.length === 0 ? [] : [make('contract', [...changes, ...removals])]),
    ...(changes.length + removals.length === 0
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
