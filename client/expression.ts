import { printLiteral, type Value } from './literal.js';

/** The text of an expression, and how tightly its outermost operator binds. */
interface Printed {
  readonly text: string;
  readonly level: number;
}

const printed = Symbol('printed');

/** An expression of the type V; what it has besides follows from V. */
export interface Expression<V> {
  readonly [printed]: Printed & { readonly type?: V };
}

/** A condition. */
export type Condition = Expression<boolean>;

/** Binding of operators, the loosest first (URL Conventions 5.1.1.16). */
const level = { or: 1, and: 2, equality: 3, relational: 4, additive: 5, multiplicative: 6, unary: 7, primary: 8 } as const;

const binary: { readonly [name: string]: keyof typeof level } = {
  eq: 'equality',
  ne: 'equality',
  lt: 'relational',
  le: 'relational',
  gt: 'relational',
  ge: 'relational',
  has: 'relational',
  in: 'relational',
  add: 'additive',
  sub: 'additive',
  mul: 'multiplicative',
  div: 'multiplicative',
  divby: 'multiplicative',
  mod: 'multiplicative',
};

/** The fields of a record, or of the item of a lambda; names are the service's to check. */
export function fieldsOf(path: string): never {
  return node({ text: path, level: level.primary }) as never;
}

/** Whether a value is an expression. */
export function isExpression(value: unknown): value is Expression<unknown> {
  return typeof value === 'function' && printed in value;
}

/** The text of an expression. */
export function textOf(expression: Expression<unknown>): string {
  return expression[printed].text;
}

/** An expression with the text, which is put in parentheses as an operand. */
export function expressionOf<V>(text: string): Expression<V> {
  return node({ text, level: 0 }) as never;
}

// A name after a dot is a property if it is followed by another name, and an operator or function if it is called.
function node(value: Printed, owner?: Printed, name = ''): Expression<unknown> {
  return new Proxy((): void => {}, {
    has: (_, key) => key === printed,
    get: (_, key) => (typeof key === 'symbol' ? (key === printed ? value : undefined) : node(member(value, key), value, key)),
    apply: (_, __, operands: readonly unknown[]) => node(call(owner ?? value, name, operands)),
  }) as never;
}

function member({ text }: Printed, name: string): Printed {
  return { text: text === '' ? name : `${text}/${name}`, level: level.primary };
}

function call(owner: Printed, name: string, operands: readonly unknown[]): Printed {
  const operator = Object.hasOwn(binary, name) ? binary[name] : undefined;
  if (name === 'in' && (operands[0] as readonly unknown[]).length === 0) return { text: 'false', level: level.primary };
  if (operator !== undefined)
    return { text: `${atLeast(level[operator], owner)} ${name} ${operand(operands[0], level[operator] + 1)}`, level: level[operator] };
  return { text: callText(owner, name, operands), level: level.primary };
}

function callText({ text }: Printed, name: string, operands: readonly unknown[]): string {
  if (name === 'count') return `${text}/$count`;
  if (name === 'any' || name === 'all') return `${text}/${name}(${lambda(operands[0])})`;
  return `${name}(${[text, ...operands.map((each) => operand(each, 0))].join(',')})`;
}

let depth = 0;

// Variables of nested lambdas differ.
function lambda(condition: unknown): string {
  if (condition === undefined) return '';
  depth++;
  try {
    const variable = `x${depth}`;
    return `${variable}:${textOf((condition as (fields: never) => Condition)(fieldsOf(variable)))}`;
  } finally {
    depth--;
  }
}

function atLeast(least: number, { text, level: own }: Printed): string {
  return own < least ? `(${text})` : text;
}

function operand(value: unknown, least: number): string {
  return isExpression(value) ? atLeast(least, value[printed]) : printLiteral(value as Value);
}

function joined(operator: 'and' | 'or', conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined) return node({ text: String(operator === 'and'), level: level.primary }) as Condition;
  const text = conditions.map((each) => atLeast(level[operator] + 1, each[printed])).join(` ${operator} `);
  return node({ text, level: level[operator] }) as Condition;
}

/** All conditions hold. */
export const and = (...conditions: readonly Condition[]): Condition => joined('and', conditions);

/** At least one of the conditions holds. */
export const or = (...conditions: readonly Condition[]): Condition => joined('or', conditions);

/** The condition does not hold. */
export const not = (condition: Condition): Condition =>
  node({ text: `not ${atLeast(level.primary, condition[printed])}`, level: level.unary }) as Condition;

/**
 * A condition in OData's own words, with values that are quoted by their types:
 * filter`City eq ${city} and ListPrice gt ${price}`.
 */
export function filter(words: TemplateStringsArray, ...values: readonly (Value | Expression<unknown>)[]): Condition {
  const holes = values.map((value) => operand(value, level.primary));
  return expressionOf(words.map((word, index) => `${word}${holes[index] ?? ''}`).join(''));
}
