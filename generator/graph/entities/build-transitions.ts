import type { Transition, TransitionTable } from '../../../runtime/edm/rules.js';
import { storedText } from '../../../runtime/expression/enum-members.js';
import { suggestion } from '../../../runtime/errors/suggest.js';
import { terms } from '../../csdl/terms.js';
import {
  booleanValue,
  pathValue,
  pathValues,
  recordValue,
  recordValues,
  textValue,
  textValues,
  type RecordValue,
  type TextValue,
} from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { checkValue } from '../values/check-value.js';
import { hasLiterals } from '../names/allocate-names.js';
import { knownPaths } from '../sources/known-paths.js';
import type { BuiltField, BuiltType, Context } from '../built-model.js';

/** The transitions of the state property, from Rules.Transitions; every allowed value has a row. */
export function buildTransitions(type: BuiltType, context: Context): TransitionTable | undefined {
  const [first, second] = [...type.fields.values()].filter(({ notes }) => notes.find(terms.transitions) !== undefined);
  const hint = 'Keep Rules.Transitions on one property of a type.';
  if (second !== undefined) context.report(faults.notSupported(second.property.at, `${type.name} with a second state property`, hint));
  return first === undefined ? undefined : tableOf(first, type, context);
}

function tableOf(built: BuiltField, type: BuiltType, context: Context): TransitionTable | undefined {
  const { report } = context;
  const { property, field, notes } = built;
  const owner = `${type.name}/${property.name}`;
  if (field.enumeration || !hasLiterals(field)) {
    const hint = 'Use a property of Edm.String, or an integer of at most 32 bits, with AllowedValues.';
    report(faults.notSupported(property.at, `${owner} with Rules.Transitions and the type ${property.type}`, hint));
    return undefined;
  }
  const states = field.allowedValues;
  if (states === undefined || field.collection)
    report({ ...faults.noStates(property.at, owner, 'Validation.AllowedValues'), follows: notes.misspelt(terms.allowedValues) });
  if (field.default === undefined) report(faults.noStates(property.at, owner, 'a DefaultValue, the initial state'));
  const record = recordValue(notes.find(terms.transitions)?.value, terms.transitions, report);
  if (states === undefined || field.default === undefined || record === undefined) return undefined;
  const moves = new Map<string, Transition[]>(states.map((state) => [state, []]));
  const known = ({ at, value }: TextValue): readonly string[] => {
    if (!moves.has(value)) report(faults.state(at, owner, value, suggestion(value, states)));
    return moves.has(value) ? [value] : [];
  };
  for (const item of recordValues(record.member('Allowed'), terms.transition, report))
    addMove(item, moves, known, { state: property.name, type, context });
  if (booleanValue(record.member('UnlistedAllowed'), terms.transitions, false, report)) addUnlisted(moves);
  return { property: property.name, initial: field.default, moves: Object.fromEntries(moves) };
}

/** The state property of a type. */
interface StateMachine {
  readonly state: string;
  readonly type: BuiltType;
  readonly context: Context;
}

function addMove(
  item: RecordValue,
  moves: Map<string, Transition[]>,
  known: (value: TextValue) => readonly string[],
  machine: StateMachine,
): void {
  const { report } = machine.context;
  const from = textValues(item.member('From'), terms.transition, report);
  const target = textValue(item.member('To'), terms.transition, report);
  if (target === undefined)
    return report({ ...faults.annotationValue(item.at, 'Rules.Transitions', 'a To in every transition'), follows: item.misspelt('To') });
  const move = moveOf(item, target.value, machine);
  const sources = from.length === 0 ? [...moves.keys()].filter((state) => state !== target.value) : from.flatMap(known);
  if (known(target).length === 0) return;
  for (const source of sources) {
    const list = moves.get(source) ?? [];
    if (list.some(({ to }) => to === target.value))
      report(faults.duplicate(item.at, `the transition from '${source}' to '${target.value}'`, 'Rules.Transitions'));
    else list.push(move);
  }
}

function moveOf(item: RecordValue, to: string, machine: StateMachine): Transition {
  const { type, context } = machine;
  const { report } = context;
  const requires = knownPaths(pathValues(item.member('RequiredProperties'), terms.transition, report), terms.transitions, type, context);
  const sets = recordValues(item.member('Sets'), terms.assignment, report).flatMap((assignment) => assignmentOf(assignment, machine));
  const message = textValue(item.member('FailureMessage'), terms.transition, report)?.value;
  return {
    to,
    ...(requires.length > 0 && { requires }),
    ...(sets.length > 0 && { sets: Object.fromEntries(sets) }),
    ...(message !== undefined && { message }),
  };
}

function assignmentOf(item: RecordValue, { state, type, context }: StateMachine): readonly (readonly [string, string])[] {
  const path = pathValue(item.member('Property'), terms.assignment, context.report);
  const value = textValue(item.member('Value'), terms.assignment, context.report);
  if (path === undefined || value === undefined) return [];
  const [name] = knownPaths([path], terms.transitions, type, context);
  const field = type.fields.get(name ?? '')?.field;
  if (name === undefined || field === undefined) return [];
  const own = `A transition that sets ${type.name}/${state}, its state`;
  if (name === state) context.report(faults.notSupported(path.at, own, 'Remove it from Sets: the state becomes To.'));
  const why = checkValue(field, value.value);
  if (why !== undefined) context.report(faults.value(value.at, `Rules.Transitions sets ${name}`, value.value, why));
  return [[name, storedText(field, value.value)]];
}

function addUnlisted(moves: ReadonlyMap<string, Transition[]>): void {
  for (const [source, list] of moves) {
    for (const to of moves.keys()) {
      if (to !== source && !list.some((move) => move.to === to)) list.push({ to });
    }
  }
}
