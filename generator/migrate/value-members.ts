import type { ValueMember, Table } from '../../runtime/schema/schema.js';
import { asOfType } from './complex-places.js';
import { misfitsOf, valueChangesOf, type GoneMember, type ValueChange } from './compare-values.js';
import { type KeptMember, memberPath, parentOf } from './moved-members.js';
import { valueQuestions, changedMembers } from './removed-values.js';
import type { Decisions, Problem } from './step.js';
import { lastName } from '../../runtime/edm/lookup.js';

/** The decisions that changes of complex values need. */
export function valueProblems(old: Table, wanted: Table, decisions: Decisions): readonly Problem[] {
  return valueChangesOf(old, wanted, decisions).flatMap((change) => changeProblems(change, wanted.name, decisions));
}

function changeProblems(change: ValueChange, table: string, decisions: Decisions): readonly Problem[] {
  const told = ({ path }: ValueMember, problems: readonly Problem[]): readonly Problem[] =>
    problems.map((problem) => asOfType(problem, table, change.home.column, path));
  return [
    ...change.gone.flatMap((gone) => told(gone.member, goneMember(change, table, gone, decisions))),
    ...change.hidden.flatMap(({ before, types }) =>
      lossy(change.home, table, before, `becomes a member of ${types.join(' and ')} only, and other values keep it but hide it`, decisions),
    ),
    ...change.required.flatMap((member) => told(member, requiredMember(change, table, member, decisions))),
    ...change.kept.flatMap((one) => told(one.member, keptMember(change, table, one, decisions))),
  ];
}

function keptMember({ home }: ValueChange, table: string, one: KeptMember, decisions: Decisions): readonly Problem[] {
  const place = { table, column: `${home.column.name}/${one.member.path}` };
  const questions = decisions.allowLossy ? [] : valueQuestions(place, one.before, one.member, decisions);
  const asked = new Set(questions.map(({ value }) => value));
  const isDecided = (value: string): boolean => {
    const path = `${place.table}/${place.column}/${value}`;
    return asked.has(value) || decisions.renamed.has(path) || decisions.dropped.has(path);
  };
  return [
    ...questions.map(({ path, message, ...question }) => ({
      ...question,
      message: `${message} if not, write the change of the rows as a separate migration, and --dropped ${path}.`,
    })),
    ...misfitsOf(one, isDecided).flatMap((what) => lossy(home, table, one.member, `${what}, but values stay as they are`, decisions)),
    ...changedMembers(place, one.before.members, one.member.members, decisions),
  ];
}

function goneMember(change: ValueChange, table: string, { member, now }: GoneMember, decisions: Decisions): readonly Problem[] {
  const column = `${change.home.column.name}/${member.path}`;
  if (decisions.dropped.has(`${table}/${column}`)) return [];
  const like = change.added.find(({ path, type }) => type === member.type && memberPath(parentOf(path)) === memberPath(parentOf(now.path)));
  if (like === undefined) return lossy(change.home, table, member, 'was removed, and its values would be lost', decisions);
  const name = lastName(like.path);
  const message = `${table}/${column} was removed, and ${name} is new with the same type. If it was renamed, write Rules.RenamedFrom or --renamed ${table}/${column}=${name}; if not, --dropped ${table}/${column}.`;
  return [{ kind: 'rename', table, column, candidate: name, message }];
}

function requiredMember(change: ValueChange, table: string, member: ValueMember, { fills }: Decisions): readonly Problem[] {
  const column = `${change.home.column.name}/${member.path}`;
  if (fills.has(`${table}/${column}`) || member.fill !== undefined) return [];
  const advice =
    member.type === 'Edm.ComplexType'
      ? `Make it nullable, or write the change of the rows as a separate migration, and --fill ${table}/${column}={}.`
      : `Add a DefaultValue, or write --fill ${table}/${column}=VALUE.`;
  const message = `${table}/${column} is required, but existing values may have none. ${advice}`;
  return [{ kind: 'fill', table, column, message }];
}

function lossy(
  home: ValueChange['home'],
  table: string,
  { path }: ValueMember,
  what: string,
  { allowLossy, dropped }: Decisions,
): readonly Problem[] {
  const column = `${home.column.name}/${path}`;
  if (allowLossy || dropped.has(`${table}/${column}`)) return [];
  const message = `${table}/${column} ${what}. Restore it; or write the change of the rows as a separate migration, and --dropped ${table}/${column} or --allow-lossy.`;
  return [{ kind: 'lossy', table, column, message }];
}
