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
      what: `was ${before.type} and is ${member.type}, and values keep the form that they have`,
    })),
    ...unwrapped.map(({ member, before }) => ({
      member,
      what: `was ${before.type} and is ${member.type}: all items but the first would be lost`,
    })),
    ...narrowed
      .filter(({ narrowing }) => narrowing.cut !== undefined)
      .map(({ member, before, narrowing }) => ({
        member,
        what: `was ${before.sql ?? before.type} and is ${member.sql ?? member.type}: ${narrowing.why}`,
      })),
    ...withoutNulls.map(({ member }) => ({
      member,
      what: 'had items that could be null and cannot any more, and those that values hold would be taken out',
    })),
  ];
}

function unseenLossesOf(change: ValueChange): readonly Loss[] {
  return change.narrowed
    .filter((one) => one.narrowing.misfit !== undefined && !isLookedAt(change, one))
    .map(({ member, before }) => ({
      member,
      what: `was ${before.sql ?? before.type} and is ${member.sql ?? member.type}, in values that lie within each other to any depth, which are not looked at`,
    }));
}

function goneMember(change: ValueChange, table: string, { member, now }: GoneMember, decisions: Decisions): readonly Problem[] {
  const column = `${change.home.column.name}/${member.path}`;
  if (decisions.dropped.has(`${table}/${column}`)) return [];
  const like = change.added.find(({ path, type }) => type === member.type && memberPath(parentOf(path)) === memberPath(parentOf(now.path)));
  if (like === undefined) return lossy(change, table, member, 'is gone, and what values have of it would be lost', decisions);
  const name = nameIn(like.path);
  const advice = `If it was renamed, write Rules.RenamedFrom or --renamed ${table}/${column}=${name}; if not, --dropped ${table}/${column}.`;
  return [
    {
      kind: 'rename',
      table,
      column,
      candidate: name,
      message: `${table}/${column} is gone, and ${name} is new with the same type. ${advice}`,
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
        message: `${table}/${column} is never null, and values that exist may have none. Let it be null, or write the change of the rows as a migration of your own, and --fill ${table}/${column}={}.`,
      },
    ];
  return [
    {
      kind: 'fill',
      table,
      column,
      candidate: undefined,
      message: `${table}/${column} is never null, and values that exist may have none. Give it a DefaultValue, or write --fill ${table}/${column}=VALUE.`,
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
      message: `${table}/${column} ${what}. Leave it as it was; or write the change of the rows as a migration of your own beside the others, and --dropped ${table}/${column} or --allow-lossy.`,
    },
  ];
}
