import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Table, ValueMember } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { dropWalk, isDeep, isWalkable, printWalk } from './change-deep.js';
import { valueChangesOf, type NarrowedMember, type ValueChange } from './compare-values.js';
import { nameIn } from './member-path.js';
import type { Home } from './moves.js';
import type { Decisions, Step } from './step.js';

/** Checks that no column type makes: members of complex values must fit the facets of the new model. */
export function checkValues(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) =>
    change.narrowed.filter((one) => isLookedAt(change, one)).flatMap((one) => checks(wanted.name, change, one)),
  );
}

/** Whether values can be checked; nested values that an old schema does not describe are asked about. */
export function isLookedAt(change: ValueChange, { member: { path }, narrowing: { misfit } }: NarrowedMember): boolean {
  return misfit !== undefined && (!isDeep(change, path) || isWalkable(change.formerHome.column.within ?? []));
}

// Runs before anything is changed, and again once no service of the old model writes.
function checks(
  table: string,
  change: ValueChange,
  { member, before, narrowing: { misfit = () => 'false', why } }: NarrowedMember,
): readonly Step[] {
  const { home, formerHome, members } = change;
  const formerly = new Map((formerHome.column.within ?? []).map((one) => [one.path, one]));
  const name = `${home.column.name}/${member.path}`;
  const find = isDeep(change, member.path) ? findDeep : findFlat;
  const told = why.endsWith('stops it') ? why : 'a number with more digits stops it';
  const step = (phase: Step['phase'], found: Find): Step => lookingFor(phase, { table, name, why: told }, found);
  const walk = quote(databaseName(`${table}#${home.column.name}#check`));
  return [
    step('expand', find({ place: formerHome, member: before, members: formerly, misfit, walk })),
    step('contract', find({ place: home, member, members, misfit, walk })),
  ];
}

/** The values of a member, and the condition that one does not fit. */
interface Sought {
  readonly place: Home;
  readonly member: ValueMember;
  readonly members: ReadonlyMap<string, ValueMember>;
  readonly misfit: (value: string) => string;
  /** The name of a database function. */
  readonly walk: string;
}

/** The rows with misfits, and the statements before and after. */
export interface Find {
  readonly before: readonly string[];
  /** The SQL after `from table as "row"`. */
  readonly rows: string;
  readonly after: readonly string[];
}

/** The checked column, and the end of a sentence. */
interface Looked {
  readonly table: string;
  readonly name: string;
  readonly why: string;
}

/** A step that stops the migration where a row is found. */
export function lookingFor(phase: Step['phase'], { table, name, why }: Looked, { before, rows, after }: Find): Step {
  const message = literal(`${table}/${name} has values that do not fit, the first in the row with "#id" `);
  return {
    phase,
    manner: { kind: 'transaction' },
    statements: [
      ...before,
      `do $check$declare misfit bigint; begin select min("row"."#id") into misfit from ${quote(table)} as "row"${rows}; if misfit is not null then raise exception using errcode = 'check_violation', message = ${message} || misfit; end if; end$check$;`,
      ...after,
    ],
    costs: [`reads the rows of ${quote(table)}`, `${name}: ${why}`],
  };
}

function findFlat({ place, member, members, misfit }: Sought): Find {
  return {
    before: [],
    rows: `, jsonb_path_query(${valueOf(place)}, ${literal(jsonPath(member, members))}) as "member" where ${isMisfit(misfit)}`,
    after: [],
  };
}

// Misfits are removed from a copy, which then differs.
function findDeep({ place, member, members, misfit, walk }: Sought): Find {
  const name = literal(nameIn(member.path));
  const leaf = (value: string): string =>
    `case when exists (select from jsonb_path_query(${value} -> ${name}, '$${many(member)}') as "member" where ${isMisfit(misfit)}) then ${value} - ${name} else ${value} end`;
  const value = valueOf(place);
  return {
    before: [printWalk(walk, members, [{ member, leaf }])],
    rows: ` where ${value} is not null and ${walk}(${value}, '', null) is distinct from ${value}`,
    after: [dropWalk(walk)],
  };
}

function isMisfit(misfit: Sought['misfit']): string {
  return `jsonb_typeof("member") <> 'null' and ${misfit('"member"')}`;
}

function many({ type }: ValueMember): string {
  return type.startsWith('Collection(') ? '[*]' : '';
}

function valueOf({ column, shared }: Home): string {
  return shared === undefined ? `"row".${quote(column.name)}` : `("row".${quote(shared)} ->> ${literal(column.name)})::jsonb`;
}

/** The path to a member's values in SQL/JSON, through collections (lax mode); a type cast in it filters by type. */
export function jsonPath(member: ValueMember, members: ReadonlyMap<string, ValueMember>): string {
  const { path, of } = member;
  const parts = path.split('/');
  const steps = parts.map((part, index) => {
    if (!part.includes('.')) return `.${JSON.stringify(part)}`;
    const isLast = index === parts.length - 2;
    const types = (isLast ? of : members.get(parts.slice(0, index + 2).join('/'))?.of) ?? [part];
    return ` ? (${types.map((each) => `@."@odata.type" == ${JSON.stringify(`#${each}`)}`).join(' || ')})`;
  });
  return `$${steps.join('')}${many(member)}`;
}
