/** The text of an expression, and how tightly its outermost operator binds. */
interface Printed {
  readonly text: string;
  readonly level: number;
}

const printed = Symbol('printed');

/** An expression of the type V; V determines its other members. */
export interface Expression<V> {
  readonly [printed]: Printed & { readonly type?: V };
}

/** The text of a value, for types that JavaScript does not have. */
export type Literal = Expression<never>;

/** A value that an expression can compare with. */
export type Value = string | number | bigint | boolean | null | Date | Literal | readonly Value[];

/** A condition. */
export type Condition = Expression<boolean>;

/** How tightly an operator binds, from 1 for the loosest (URL Conventions 5.1.1.16). */
const levels = ['or', 'and', 'eq ne', 'lt le gt ge', 'add sub', 'mul div divby mod', 'not', 'has in'];

// The level of an operator; 0 of a function.
const levelOf = (name: string): number => levels.findIndex((names) => names.split(' ').includes(name)) + 1;

/** The level of operands without an operator. */
const primary = 9;

/** Whether a value is an expression. */
export function isExpression(value: unknown): value is Expression<unknown> {
  return !!(value as Partial<Expression<unknown>> | null | undefined)?.[printed];
}

/** The text of an expression. */
export function textOf(expression: Expression<unknown>): string {
  return expression[printed].text;
}

/** An expression with the text; with level 0 it is put in parentheses as an operand. */
export function expressionOf<V>(text: string, level = primary): Expression<V> {
  return node({ text, level }) as never;
}

/** The fields of a record, or of the item of a lambda; names are the service's to check. */
export const fieldsOf = expressionOf as (path: string) => never;

// A name after a dot is a property if it is followed by another name, and an operator or function if it is called.
function node(value: Printed, owner = value, name = ''): Expression<unknown> {
  return new Proxy((): void => {}, {
    get: (_, key) => (key === printed ? value : node(member(value, key as string), value, key as string)),
    apply: (_, __, operands: readonly unknown[]) => call(owner, name, operands),
  }) as never;
}

function member({ text }: Printed, name: string): Printed {
  return { text: text ? `${text}/${name}` : name, level: primary };
}

function call(owner: Printed, name: string, operands: readonly unknown[]): Expression<unknown> {
  const { text } = owner;
  const [first] = operands;
  const level = levelOf(name);
  // A list without items is not in the grammar.
  if (name === 'in' && !(first as readonly unknown[]).length) return expressionOf('false');
  if (level) return expressionOf(`${atLeast(level, owner)} ${name} ${operand(first, level + 1)}`, level);
  if (name === 'count') return expressionOf(`${text}/$count`);
  if (/^a(ny|ll)$/.test(name)) return expressionOf(`${text}/${name}(${lambda(first)})`);
  return expressionOf(`${name}(${[text, ...operands.map((each) => operand(each, 0))].join()})`);
}

let depth = 0;

// Variables of nested lambdas differ.
function lambda(condition: unknown): string {
  if (!condition) return '';
  const variable = `x${++depth}`;
  const text = textOf((condition as (fields: never) => Condition)(fieldsOf(variable)));
  depth--;
  return `${variable}:${text}`;
}

function atLeast(least: number, { text, level: own }: Printed): string {
  return own < least ? `(${text})` : text;
}

function operand(value: unknown, least: number): string {
  if (isExpression(value)) return atLeast(least, value[printed]);
  return Array.isArray(value) ? `(${value.map((item) => operand(item, 0)).join()})` : printLiteral(value as Value);
}

/** Prints a value as an OData literal; an invalid date is a RangeError of the platform. */
export function printLiteral(value: Value): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return String(value).replace('Infinity', 'INF');
}

function joined(operator: 'and' | 'or', conditions: readonly Condition[]): Condition {
  const level = levelOf(operator);
  const text = conditions.map((each) => operand(each, level + 1)).join(` ${operator} `);
  return expressionOf(text || String(operator === 'and'), level);
}

/** All conditions hold. */
export const and = (...conditions: readonly Condition[]): Condition => joined('and', conditions);

/** At least one of the conditions holds. */
export const or = (...conditions: readonly Condition[]): Condition => joined('or', conditions);

/** The condition does not hold. */
export const not = (condition: Condition): Condition => expressionOf(`not (${textOf(condition)})`, 7);

/**
 * A condition in OData's own words, with values that are quoted by their types:
 * filter`City eq ${city} and ListPrice gt ${price}`.
 */
export function filter(words: TemplateStringsArray, ...values: readonly (Value | Expression<unknown>)[]): Condition {
  return expressionOf(String.raw({ raw: words }, ...values.map((value) => operand(value, primary))), 0);
}
