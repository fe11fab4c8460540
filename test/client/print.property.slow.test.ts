import { deepStrictEqual } from 'node:assert';
import test from 'ava';
import '../support/features.js';
import { fc } from '../support/fast-check.js';
import { and, not, or, type Condition } from '../../client/index.js';
import { printQuery, type AnyQuery } from '../../client/print-query.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';

// A random expression as data; the client prints it, and the service's parser must read the tree that it stands for.
type Value = string | number | boolean | Date | null;
type Shape =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'path'; readonly names: readonly string[]; readonly ofItem: boolean }
  | { readonly kind: 'count'; readonly names: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly left: Shape; readonly right: Shape }
  | { readonly kind: 'operator'; readonly name: string; readonly left: Shape; readonly right: Shape }
  | { readonly kind: 'in'; readonly left: Shape; readonly values: readonly Value[] }
  | { readonly kind: 'not'; readonly operand: Shape }
  | { readonly kind: 'joined'; readonly name: 'and' | 'or'; readonly operands: readonly Shape[] }
  | { readonly kind: 'lambda'; readonly name: 'any' | 'all'; readonly names: readonly string[]; readonly body: Shape };

const operators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'add', 'sub', 'mul', 'div', 'divby', 'mod'];
// Some are names of operators and functions too.
const names = fc.array(fc.constantFrom('City', 'ListPrice', 'Straße', 'length', 'any', 'eq', 'count', 'x9'), {
  minLength: 1,
  maxLength: 3,
});
const value: fc.Arbitrary<Value> = fc.oneof(
  // The service accepts no control characters in a URL.
  fc.string({ unit: 'binary' }).map((text) => text.replace(/\p{Cc}/gu, '')),
  fc.stringMatching(/^['a(),;&?#+%= ]*$/),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
  fc.constant(null),
);
const path = fc.record({ kind: fc.constant('path' as const), names, ofItem: fc.boolean() });

const { condition } = fc.letrec<{ operand: Shape; condition: Shape }>((tie) => ({
  operand: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    path,
    fc.record({ kind: fc.constant('count' as const), names }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom('contains', 'concat', 'indexof'),
      left: tie('operand'),
      right: tie('condition'),
    }),
    tie('condition'),
  ),
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    path,
    fc.record({
      kind: fc.constant('operator' as const),
      name: fc.constantFrom(...operators),
      left: tie('operand'),
      right: fc.oneof(
        tie('operand'),
        value.map((one) => ({ kind: 'value' as const, value: one })),
      ),
    }),
    fc.record({ kind: fc.constant('in' as const), left: tie('operand'), values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('condition') }),
    fc.record({
      kind: fc.constant('joined' as const),
      name: fc.constantFrom('and' as const, 'or' as const),
      operands: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('lambda' as const),
      name: fc.constantFrom('any' as const, 'all' as const),
      names,
      body: tie('condition'),
    }),
  ),
}));

// The condition that a callback builds from its fields; the compiler does not know their names here.
type Dynamic = { readonly [name: string]: Dynamic } & ((...operands: readonly unknown[]) => Dynamic);

function build(shape: Shape, fields: Dynamic, item: Dynamic | undefined): Dynamic {
  const inner = (one: Shape): Dynamic => build(one, fields, item);
  const at = (start: Dynamic, steps: readonly string[]): Dynamic => steps.reduce((from, name) => from[name] as Dynamic, start);
  switch (shape.kind) {
    case 'value':
      return shape.value as never;
    case 'path':
      return at(shape.ofItem && item ? item : fields, shape.names);
    case 'count':
      return (at(fields, shape.names)['count'] as Dynamic)();
    case 'call':
    case 'operator':
      return (inner(shape.left)[shape.name] as Dynamic)(inner(shape.right));
    case 'in':
      return (inner(shape.left)['in'] as Dynamic)(shape.values);
    case 'not':
      return not(inner(shape.operand) as unknown as Condition) as unknown as Dynamic;
    case 'joined':
      return (shape.name === 'and' ? and : or)(...shape.operands.map((one) => inner(one) as unknown as Condition)) as unknown as Dynamic;
    case 'lambda':
      return (at(fields, shape.names)[shape.name] as Dynamic)((own: Dynamic) => build(shape.body, fields, own));
  }
}

function treeOf(shape: Shape, depth: number): object {
  const inner = (one: Shape): object => treeOf(one, depth);
  switch (shape.kind) {
    case 'value':
      return literalTree(shape.value);
    case 'path':
      return memberTree(shape.ofItem && depth > 0 ? [`x${depth}`, ...shape.names] : shape.names);
    case 'count':
      return memberTree([...shape.names, '$count']);
    case 'call':
      return { kind: 'methodCall', method: shape.name, arguments: [inner(shape.left), inner(shape.right)] };
    case 'operator':
      return binaryTree(shape.name, inner(shape.left), inner(shape.right));
    case 'in':
      return binaryTree('in', inner(shape.left), { kind: 'list', items: shape.values.map(literalTree) });
    case 'not':
      return { kind: 'unary', operator: 'not', operand: inner(shape.operand) };
    case 'joined':
      return shape.operands.map(inner).reduce((left, right) => binaryTree(shape.name, left, right));
    case 'lambda':
      return {
        kind: 'lambda',
        operator: shape.name,
        source: memberTree(shape.names),
        variable: `x${depth + 1}`,
        predicate: treeOf(shape.body, depth + 1),
      };
  }
}

// The service refuses more than two levels.
function lambdasIn(shape: Shape): number {
  switch (shape.kind) {
    case 'lambda':
      return 1 + lambdasIn(shape.body);
    case 'joined':
      return Math.max(...shape.operands.map(lambdasIn));
    case 'call':
    case 'operator':
      return Math.max(lambdasIn(shape.left), lambdasIn(shape.right));
    case 'in':
      return lambdasIn(shape.left);
    case 'not':
      return lambdasIn(shape.operand);
    default:
      return 0;
  }
}

const memberTree = (path: readonly string[]): object => ({ kind: 'member', path: path.map((name) => ({ name })) });
const binaryTree = (operator: string, left: object, right: object): object => ({ kind: 'binary', operator, left, right });

function literalTree(one: Value): object {
  if (one === null) return { kind: 'literal', type: 'null', value: 'null' };
  if (typeof one === 'string') return { kind: 'literal', type: 'Edm.String', value: one };
  if (typeof one === 'boolean') return { kind: 'literal', type: 'Edm.Boolean', value: String(one) };
  if (one instanceof Date) return { kind: 'literal', type: 'Edm.DateTimeOffset', value: one.toISOString() };
  const text = String(one).replace('Infinity', 'INF');
  const isLong = /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) !== BigInt(text);
  return {
    kind: 'literal',
    type: /e|INF/.test(text) ? 'Edm.Double' : /\./.test(text) || isLong ? 'Edm.Decimal' : 'Edm.Int64',
    value: text,
  };
}

// A parsed tree without positions.
function withoutPositions(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree, (name, one: unknown) => (name === 'at' ? undefined : one)));
}

function parse(query: AnyQuery): unknown {
  const { options } = parseQueryOptions(printQuery(query).slice(1));
  return withoutPositions(options);
}

test('a random filter is read by the parser of the service as it was meant', (t) => {
  fc.assert(
    fc.property(condition, (shape) => {
      fc.pre(lambdasIn(shape) <= 2);
      const filter = (fields: never): Condition => build(shape, fields, undefined) as unknown as Condition;
      deepStrictEqual(parse({ filter }), { filter: withoutPositions(treeOf(shape, 0)) });
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

/** Options of a query as data, and nested ones. */
interface Options {
  readonly select: readonly string[];
  readonly orderby: readonly (readonly [name: string, descending: boolean])[];
  readonly filter: Shape | undefined;
  readonly top: number | undefined;
  readonly expand: { readonly [name: string]: Options };
}

const name = fc.constantFrom('City', 'ListPrice', 'Straße', 'asc');
const { query } = fc.letrec<{ query: Options }>((tie) => ({
  query: fc.record({
    select: fc.uniqueArray(name, { maxLength: 3 }),
    orderby: fc.uniqueArray(fc.tuple(name, fc.boolean()), { maxLength: 2, selector: ([one]) => one }),
    filter: fc.option(
      condition.filter((shape) => lambdasIn(shape) <= 2),
      { nil: undefined },
    ),
    top: fc.option(fc.nat(), { nil: undefined }),
    expand: fc.oneof(
      { maxDepth: 3 },
      fc.constant({}),
      fc.dictionary(fc.constantFrom('Media', 'Rooms'), tie('query'), { maxKeys: 2, noNullPrototype: true }),
    ),
  }),
}));

function queryOf({ select, orderby, filter, top, expand }: Options): AnyQuery {
  return {
    ...(select.length > 0 && { select }),
    ...(orderby.length > 0 && { orderby: orderby.map(([one, descending]) => `${one}${descending ? ' desc' : ''}`) }),
    ...(filter && { filter: (fields: never) => build(filter, fields, undefined) as unknown as Condition }),
    top,
    expand: Object.fromEntries(Object.entries(expand).map(([one, nested]) => [one, queryOf(nested)])),
  };
}

function optionsTree({ select, orderby, filter, top, expand }: Options): object {
  const related = Object.entries(expand).map(([one, nested]) => ({ path: [{ name: one }], options: optionsTree(nested) }));
  return {
    ...(select.length > 0 && { select: select.map((one) => memberTree([one])) }),
    ...(orderby.length > 0 && { orderby: orderby.map(([one, descending]) => ({ expression: memberTree([one]), descending })) }),
    ...(filter && { filter: treeOf(filter, 0) }),
    ...(top !== undefined && { top }),
    ...(related.length > 0 && { expand: related }),
  };
}

test('a random query with nested ones is read by the parser of the service as it was meant', (t) => {
  fc.assert(
    fc.property(query, (options) => {
      deepStrictEqual(parse(queryOf(options)), withoutPositions(optionsTree(options)));
    }),
    { numRuns: 500 },
  );
  t.pass();
});
