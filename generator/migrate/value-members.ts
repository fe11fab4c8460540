import type { ValueMember, Table } from '../../runtime/schema/schema.js';
import { isLookedAt } from './check-values.js';
import { valueChangesOf, type GoneMember, type ValueChange } from './compare-values.js';
import { changedMembers } from './enumerations.js';
import { memberPath, nameIn, parentOf } from './member-path.js';
import type { Decisions, Problem } from './step.js';

/** The decisions that changes of complex values need. */
export function valueProblems(old: Table, wanted: Table, decisions: Decisions): readonly Problem[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) => changeProblems(change, wanted.name, decisions));
}

function changeProblems(change: ValueChange, table: string, decisions: Decisions): readonly Problem[] {
  const told = ({ member, what }: Loss): readonly Problem[] => lossy(change, table, member, what, decisions);
  return [
    ...change.gone.flatMap((gone) => goneMember(change, table, gone, decisions)),
    ...change.required.flatMap((member) => requiredMember(change, table, member, decisions)),
    ...lossesOf(change).flatMap(told),
    ...change.kept.flatMap(({ member, before }) =>
      changedMembers({ table, column: `${change.home.column.name}/${member.path}` }, before.members, member.members, decisions),
    ),
    ...unseenLossesOf(change).flatMap(told),
  ];
}

/** A member whose values would change, and the reason. */
interface Loss {
  readonly member: ValueMember;
  readonly what: string;
}

function lossesOf({ retyped, unwrapped, narrowed, withoutNulls }: ValueChange): readonly Loss[] {
  return [
    ...retyped.map(({ member, before }) => ({
      member,
      what: `changed from ${before.type} to ${member.type}, but values keep their form`,
    })),
    ...unwrapped.map(({ member, before }) => ({
      member,
      what: `changed from ${before.type} to ${member.type}: all items but the first would be lost`,
    })),
    ...narrowed
      .filter(({ narrowing }) => narrowing.cut !== undefined)
      .map(({ member, before, narrowing }) => ({
        member,
        what: `changed from ${before.sql ?? before.type} to ${member.sql ?? member.type}: ${narrowing.why}`,
      })),
    ...withoutNulls.map(({ member }) => ({
      member,
      what: 'has items that are no longer nullable, and null items in values would be removed',
    })),
  ];
}

function unseenLossesOf(change: ValueChange): readonly Loss[] {
  return change.narrowed
    .filter((one) => one.narrowing.misfit !== undefined && !isLookedAt(change, one))
    .map(({ member, before }) => ({
      member,
      what: `changed from ${before.sql ?? before.type} to ${member.sql ?? member.type}, in recursive values, which are not searched`,
    }));
}

function goneMember(change: ValueChange, table: string, { member, now }: GoneMember, decisions: Decisions): readonly Problem[] {
  const column = `${change.home.column.name}/${member.path}`;
  if (decisions.dropped.has(`${table}/${column}`)) return [];
  const like = change.added.find(({ path, type }) => type === member.type && memberPath(parentOf(path)) === memberPath(parentOf(now.path)));
  if (like === undefined) return lossy(change, table, member, 'was removed, and its values would be lost', decisions);
  const name = nameIn(like.path);
  const advice = `If it was renamed, write Rules.RenamedFrom or --renamed ${table}/${column}=${name}; if not, --dropped ${table}/${column}.`;
  return [
    {
      kind: 'rename',
      table,
      column,
      candidate: name,
      message: `${table}/${column} was removed, and ${name} is new with the same type. ${advice}`,
    },
  ];
}

function requiredMember(change: ValueChange, table: string, member: ValueMember, { fills }: Decisions): readonly Problem[] {
  const column = `${change.home.column.name}/${member.path}`;
  if (fills.has(`${table}/${column}`) || member.fill !== undefined) return [];
  if (member.type === 'Edm.ComplexType')
    return [
      {
        kind: 'fill',
        table,
        column,
        candidate: undefined,
        message: `${table}/${column} is required, but existing values may have none. Make it nullable, or write the change of the rows as a separate migration, and --fill ${table}/${column}={}.`,
      },
    ];
  return [
    {
      kind: 'fill',
      table,
      column,
      candidate: undefined,
      message: `${table}/${column} is required, but existing values may have none. Add a DefaultValue, or write --fill ${table}/${column}=VALUE.`,
    },
  ];
}

function lossy(
  { home }: ValueChange,
  table: string,
  { path }: ValueMember,
  what: string,
  { allowLossy, dropped }: Decisions,
): readonly Problem[] {
  const column = `${home.column.name}/${path}`;
  if (allowLossy || dropped.has(`${table}/${column}`)) return [];
  return [
    {
      kind: 'lossy',
      table,
      column,
      candidate: undefined,
      message: `${table}/${column} ${what}. Restore it; or write the change of the rows as a separate migration, and --dropped ${table}/${column} or --allow-lossy.`,
    },
  ];
}
