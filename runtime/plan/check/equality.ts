import { errors } from '../../errors/catalogue.js';
import { familyNames, shapeFamilies } from '../../expression/methods.js';
import type { Scope } from '../scope.js';
import type { ExprFamily } from '../expr-facts.js';

/** Families without equality; their values are only compared with null (URL conventions 5.1.1.1). */
const incomparable: ReadonlySet<ExprFamily> = new Set<ExprFamily>([...shapeFamilies, 'collection']);

/** Whether values of a family can be compared for equality. */
export function hasEquality(family: ExprFamily): boolean {
  return !incomparable.has(family);
}

/** The error for an operator on values that it cannot compare. */
export function noComparison(operator: string, family: ExprFamily, at: number, { option }: Scope): Error {
  return errors
    .typeMismatch(`${operator} cannot compare ${family === undefined ? 'null' : familyNames[family]}, at position ${at + 1}.`)
    .at(option);
}
