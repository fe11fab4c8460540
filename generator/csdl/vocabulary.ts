import { suggestion } from '../../runtime/errors/suggest.js';
import { faults, type Report } from '../faults.js';
import type { Annotation, Expression } from './csdl.js';
import { recordMembers, shortTerm } from './terms.js';

/** The annotations of one model element, by full term name. */
export interface Notes {
  readonly find: (term: string) => Annotation | undefined;
  /** Of a term that stands several times, told apart by qualifiers. */
  readonly qualified: (term: string) => readonly Annotation[];
}

/** A path in an annotation, and where it stands. */
export interface PathValue {
  readonly at: number;
  readonly path: string;
}

/** A constant, and where it stands. */
export interface TextValue {
  readonly at: number;
  readonly value: string;
}

/** The members of a record by name, read through the functions below. */
export interface RecordValue {
  readonly at: number;
  readonly term: string;
  readonly member: (name: string) => Expression | undefined;
}

/** Reads annotations of a known shape; what has another shape is reported and left out. */
export function textValue(expression: Expression | undefined, term: string, report: Report): TextValue | undefined {
  if (expression?.kind === 'constant') return { at: expression.at, value: expression.value };
  if (expression !== undefined && expression.kind !== 'null') report(faults.annotationValue(expression.at, shortTerm(term), 'a constant'));
  return undefined;
}

/** A Boolean; an annotation without a value says true. */
export function flagValue(annotation: Annotation | undefined, report: Report): boolean {
  if (annotation === undefined) return false;
  return annotation.value === undefined || booleanValue(annotation.value, annotation.term, true, report);
}

/** A Boolean member, or what holds without it. */
export function booleanValue(expression: Expression | undefined, term: string, fallback: boolean, report: Report): boolean {
  if (expression === undefined || expression.kind === 'null') return fallback;
  if (expression.kind === 'constant' && /^(true|false)$/.test(expression.value)) return expression.value === 'true';
  report(faults.annotationValue(expression.at, shortTerm(term), 'true or false'));
  return fallback;
}

/** A whole number; `undefined` where the member is absent, and no limit where it is null. */
export function numberValue(expression: Expression | undefined, term: string, report: Report): number | undefined {
  if (expression === undefined) return undefined;
  if (expression.kind === 'null') return noLimit;
  if (expression.kind === 'constant' && /^-?\d{1,9}$/.test(expression.value)) return Number(expression.value);
  report(faults.annotationValue(expression.at, shortTerm(term), 'a whole number'));
  return undefined;
}

/** The items of a collection. */
function itemsOf(expression: Expression | undefined, term: string, report: Report): readonly Expression[] {
  if (expression === undefined || expression.kind === 'null') return [];
  if (expression.kind === 'collection') return expression.items;
  report(faults.annotationValue(expression.at, shortTerm(term), 'a collection'));
  return [];
}

/** The paths of a collection of property or navigation paths. */
export function pathValues(expression: Expression | undefined, term: string, report: Report): readonly PathValue[] {
  return itemsOf(expression, term, report).flatMap((item) => pathValue(item, term, report) ?? []);
}

/** One path. */
export function pathValue(expression: Expression | undefined, term: string, report: Report): PathValue | undefined {
  if (expression?.kind === 'path') return { at: expression.at, path: expression.value };
  if (expression !== undefined) report(faults.annotationValue(expression.at, shortTerm(term), 'a property path'));
  return undefined;
}

/** The texts of a collection of strings. */
export function textValues(expression: Expression | undefined, term: string, report: Report): readonly TextValue[] {
  return itemsOf(expression, term, report).flatMap((item) => textValue(item, term, report) ?? []);
}

/** A record whose members are all known to the vocabulary. */
export function recordValue(expression: Expression | undefined, term: string, report: Report): RecordValue | undefined {
  if (expression === undefined || expression.kind === 'null') return undefined;
  if (expression.kind !== 'record') {
    report(faults.annotationValue(expression.at, shortTerm(term), 'a record'));
    return undefined;
  }
  const known = recordMembers.get(term);
  const members = new Map(expression.members.map((member) => [member.property, member.value]));
  for (const { property, at } of expression.members) {
    if (known !== undefined && !known.includes(property)) report(faults.unknownMember(at, shortTerm(term), property, suggestion(property, known)));
  }
  return { at: expression.at, term, member: (name) => members.get(name) };
}

/** The records of a collection. */
export function recordValues(expression: Expression | undefined, term: string, report: Report): readonly RecordValue[] {
  return itemsOf(expression, term, report).flatMap((item) => recordValue(item, term, report) ?? []);
}

/** The largest number that the contract's 32-bit limits can hold. */
const noLimit = 2_147_483_647;
