import { nearestOf, suggestion } from '../../runtime/errors/suggest.js';
import { faults, type Report } from '../faults.js';
import type { Annotation, Expression } from './csdl.js';
import { isOfOasis, recordMembers, shortTerm } from './terms.js';

/** The annotations of one model element, by qualified term name. */
export interface Notes {
  readonly find: (term: string) => Annotation | undefined;
  /** The positions of annotations whose unknown term may be meant as this one. */
  readonly misspelt: (term: string) => readonly number[];
}

/** A path in an annotation, with its position. */
export interface PathValue {
  readonly at: number;
  readonly path: string;
}

/** A constant, with its position. */
export interface TextValue {
  readonly at: number;
  readonly value: string;
}

/** The members of a record by name, read through the functions below. */
export interface RecordValue {
  readonly at: number;
  readonly term: string;
  readonly member: (name: string) => Expression | undefined;
  /** The positions of unknown members that may be meant as this one. */
  readonly misspelt: (name: string) => readonly number[];
}

/** A text; another kind of expression is reported and omitted. */
export function textValue(expression: Expression | undefined, term: string, report: Report): TextValue | undefined {
  if (expression?.kind === 'constant') return { at: expression.at, value: expression.value };
  if (expression !== undefined && expression.kind !== 'null') reportShape(expression, term, 'a constant', report);
  return undefined;
}

/** A Boolean; true for an annotation without a value, and omitted where it is computed. */
export function flagValue(annotation: Annotation | undefined, report: Report): boolean {
  if (annotation === undefined) return false;
  return (
    annotation.value === undefined || booleanValue(annotation.value, annotation.term, computedBy(annotation.value) === undefined, report)
  );
}

/** A Boolean member, or the fallback. */
export function booleanValue(expression: Expression | undefined, term: string, fallback: boolean, report: Report): boolean {
  if (expression === undefined || expression.kind === 'null') return fallback;
  if (expression.kind === 'constant' && /^(true|false)$/.test(expression.value)) return expression.value === 'true';
  reportShape(expression, term, 'true or false', report);
  return fallback;
}

/** Whether an operation is permitted: an unsupported expression permits nothing. */
export function permittedValue(expression: Expression | undefined, term: string, fallback: boolean, report: Report): boolean {
  const isGiven = expression !== undefined && expression.kind !== 'null';
  return booleanValue(expression, term, isGiven ? false : fallback, report);
}

/** A whole number; `undefined` where the member is absent, the largest where it is null. */
export function numberValue(expression: Expression | undefined, term: string, report: Report): number | undefined {
  if (expression === undefined) return undefined;
  if (expression.kind === 'null') return noLimit;
  if (expression.kind === 'constant' && /^-?\d{1,9}$/.test(expression.value)) return Number(expression.value);
  reportShape(expression, term, 'a whole number', report);
  return undefined;
}

/** The items of a collection. */
function itemsOf(expression: Expression | undefined, term: string, report: Report): readonly Expression[] {
  if (expression === undefined || expression.kind === 'null') return [];
  if (expression.kind === 'collection') return expression.items;
  reportShape(expression, term, 'a collection', report);
  return [];
}

/** The paths of a collection of property or navigation paths. */
export function pathValues(expression: Expression | undefined, term: string, report: Report): readonly PathValue[] {
  return itemsOf(expression, term, report).flatMap((item) => pathValue(item, term, report) ?? []);
}

/** One path. */
export function pathValue(expression: Expression | undefined, term: string, report: Report): PathValue | undefined {
  if (expression?.kind === 'path') return { at: expression.at, path: expression.value };
  if (expression !== undefined) reportShape(expression, term, 'a property path', report);
  return undefined;
}

/** The texts of a collection of strings. */
export function textValues(expression: Expression | undefined, term: string, report: Report): readonly TextValue[] {
  return itemsOf(expression, term, report).flatMap((item) => textValue(item, term, report) ?? []);
}

/** A record; unknown members are reported. */
export function recordValue(expression: Expression | undefined, term: string, report: Report): RecordValue | undefined {
  if (expression === undefined || expression.kind === 'null') return undefined;
  if (expression.kind !== 'record') {
    reportShape(expression, term, 'a record', report);
    return undefined;
  }
  const known = recordMembers.get(term);
  const members = new Map(expression.members.map((member) => [member.property, member.value]));
  for (const { property, at } of expression.members) {
    if (known === undefined || known.includes(property)) continue;
    const meant = suggestion(property, known);
    report(
      meant === '' && isOfOasis(term)
        ? faults.newerName(at, `member ${property} of ${shortTerm(term)}`)
        : faults.unknownMember(at, shortTerm(term), property, meant),
    );
  }
  const misspelt = (name: string): readonly number[] =>
    expression.members.filter(({ property }) => isMisspelt(property, name, known)).map(({ at }) => at);
  return { at: expression.at, term, member: (name) => members.get(name), misspelt };
}

/** Whether an unknown name may be meant as a known one. */
export function isMisspelt(name: string, meant: string, known: readonly string[] = []): boolean {
  return !known.includes(name) && nearestOf(name, known) === meant;
}

/** The record of a restriction: an unsupported expression permits nothing. */
export function restrictionValue(expression: Expression | undefined, term: string, report: Report): RecordValue | undefined {
  const record = recordValue(expression, term, report);
  if (record !== undefined || expression === undefined || expression.kind === 'null') return record;
  const { at } = expression;
  const no: Expression = { kind: 'constant', type: 'Bool', value: 'false', at, annotations: [] };
  const nobody: Expression = { kind: 'collection', items: [], at, annotations: [] };
  return { at, term, member: (name) => (name === 'Permissions' ? nobody : permits.has(name) ? no : undefined), misspelt: () => [] };
}

const permits: ReadonlySet<string> = new Set(['Readable', 'Insertable', 'Updatable', 'Upsertable', 'Deletable']);

/** The records of a collection. */
export function recordValues(expression: Expression | undefined, term: string, report: Report): readonly RecordValue[] {
  return itemsOf(expression, term, report).flatMap((item) => recordValue(item, term, report) ?? []);
}

function reportShape(expression: Expression, term: string, wanted: string, report: Report): void {
  const computed = computedBy(expression);
  report(
    computed === undefined
      ? faults.annotationValue(expression.at, shortTerm(term), wanted)
      : faults.computedValue(expression.at, shortTerm(term), computed),
  );
}

/** The kind of a dynamic expression (CSDL XML 4.01, 14.4); undefined for a constant one. */
function computedBy(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'path':
      return `the path ${expression.value}`;
    case 'operator':
      return `the expression ${expression.operator}`;
    case 'apply':
      return `the function ${expression.function}`;
    case 'cast':
    case 'isOf':
      return `the expression ${expression.kind === 'cast' ? 'Cast' : 'IsOf'}`;
    case 'label':
    case 'labelReference':
      return `the labeled element ${expression.name}`;
    case 'constant':
    case 'null':
    case 'collection':
    case 'record':
      return undefined;
  }
}

/** The largest number that the contract's 32-bit limits can hold. */
const noLimit = 2_147_483_647;
