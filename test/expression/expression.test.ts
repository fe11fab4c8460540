import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ODataError } from '../../runtime/errors/odata-error.js';
import type {
  BinaryOperator,
  CommonExpr,
  LiteralExpr,
  LiteralType,
  MemberExpr,
  Parentheses,
  PathSegment,
  SearchExpr,
} from '../../runtime/expression/ast.js';
import { precedences } from '../../runtime/expression/operators.js';
import { parseFilter } from '../../runtime/expression/parser.js';
import { printExpr } from '../../runtime/expression/print.js';
import { checkCases, type Producers } from '../support/cases.js';
import { fc } from '../support/fast-check.js';
import '../support/features.js';
import { printTree } from '../support/print-tree.js';

/** The stages of an expression; each has its key in the case files. */
const producers: Producers = {
  tree: (text) => printTree(parseFilter(text)),
};

for (const file of readdirSync(join('test', 'expression')).filter((name) => name.endsWith('.case'))) {
  test(file, (t) => checkCases(t, `expression/${file}`, producers, { mark: true }));
}

/** Texts of a size: the limit itself is read, one more is refused. */
const cases: readonly (readonly [string, number, (size: number) => string, RegExp])[] = [
  ['parentheses', 64, (size) => `${'('.repeat(size)}x${')'.repeat(size)}`, /more than 64 levels deep/],
  ['signs', 64, (size) => `${'- '.repeat(size)}x`, /more than 64 levels deep/],
  ['functions', 15, (size) => `${'trim('.repeat(size)}x${')'.repeat(size)}`, /Functions .* more than 15 levels deep/],
  ['lambdas', 2, (size) => `${'x/any(x:'.repeat(size)}x${')'.repeat(size)}`, /any and all .* more than 2 levels deep/],
  ['operands and operators', 500, (size) => Array(size).fill('x').join(' and '), /more than 1000 operands/],
  ['list items', 1000, (size) => `x in (${Array(size).fill('1').join()})`, /more than 1000 items/],
  ['names of a path', 50, (size) => Array(size).fill('x').join('/'), /more than 50 names/],
  ['letters of a name', 128, (size) => 'x'.repeat(size), /at most 128 characters/],
];

for (const [what, limit, textOf, message] of cases) {
  test(`${limit} ${what} are read and one more is refused`, (t) => {
    t.notThrows(() => parseFilter(textOf(limit)));
    const error = t.throws(() => parseFilter(textOf(limit + 1)), { instanceOf: ODataError });
    t.regex(error.message, message);
    t.is(error.target, '$filter');
  });
}

const at = 0;
const name = fc.constantFrom('City', 'ListPrice', 'constructor', 'save', 'Straße', 'x', 'a_1', 'not', 'in', 'asc');
const member: fc.Arbitrary<MemberExpr> = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .filter((names) => names[0] !== 'not' && names[0] !== 'in')
  .map((names) => ({ kind: 'member', at, path: names.map((segment) => ({ name: segment, at })) }));

const literalOf = (type: LiteralType, value: fc.Arbitrary<string>): fc.Arbitrary<LiteralExpr> =>
  value.map((text) => ({ kind: 'literal', at, type, value: text }));
const literal = fc.oneof(
  literalOf('null', fc.constant('null')),
  literalOf('Edm.Boolean', fc.constantFrom('true', 'false')),
  literalOf('Edm.String', fc.string({ unit: 'binary' })),
  literalOf('Edm.String', fc.stringMatching(/^['a(),; ]*$/)),
  literalOf('Edm.Int64', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  literalOf('Edm.Decimal', fc.constantFrom('1.50', '-0.1', '9223372036854775808', '-9223372036854775809')),
  literalOf('Edm.Double', fc.constantFrom('1e5', '-2.5e-7', 'INF', '-INF', 'NaN')),
  literalOf('Edm.Guid', fc.uuid()),
  literalOf('Edm.Date', fc.constantFrom('2024-02-29', '1999-12-31', '-0001-01-01')),
  literalOf('Edm.TimeOfDay', fc.constantFrom('23:59:59.123456789012', '00:00')),
  literalOf('Edm.DateTimeOffset', fc.constantFrom('2024-01-31T00:00:00Z', '2024-01-31T00:00:00.5+05:45', '2024-01-31T00:00-08:00')),
  literalOf('Edm.Duration', fc.constantFrom('P1D', '-PT2H30M1.5S')),
  literalOf('Edm.Binary', fc.constantFrom('', 'T0RhdGE', 'Zm9v')),
  literalOf('Edm.Geography', fc.constant('SRID=4326;POINT(-79.4 43.7)')),
);

const alias = fc.constantFrom('@p', '@long_name').map((text) => ({ kind: 'alias' as const, at, name: text }));
const enumeration = fc
  .tuple(fc.constantFrom('Ns.Color', 'A.B.C'), fc.constantFrom('Red', 'Red,Blue', '-1,+2'))
  .map(([type, value]) => ({ kind: 'enum' as const, at, type, value }));
const word = fc.constantFrom('red', '08/15', `it's`, 'a;b', 'brand-new', 'and');
const term = fc.oneof(
  word.map((text) => ({ kind: 'term' as const, at, text, phrase: false })),
  fc.constantFrom('big house', 'a"b\\c', 'OR', ')').map((text) => ({ kind: 'term' as const, at, text, phrase: true })),
);

function searches(depth: number): fc.Arbitrary<SearchExpr> {
  if (depth === 0) return term;
  const inner = searches(depth - 1);
  return fc.oneof(
    term,
    fc.record({ kind: fc.constant('not' as const), at: fc.constant(at), operand: inner }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      at: fc.constant(at),
      operands: fc.array(inner, { minLength: 2, maxLength: 3 }),
    }),
  );
}

const plainSegment: fc.Arbitrary<PathSegment> = fc
  .constantFrom('City', 'Ns.Type', '@Ns.Term', '@Ns.Term#Qualifier', 'not')
  .map((text) => ({ name: text, at }));

// Names with keys, parameters, conditions and options, at any place but the first.
function segments(inner: fc.Arbitrary<CommonExpr>): fc.Arbitrary<PathSegment> {
  const values = fc.uniqueArray(fc.constantFrom('ID', 'color', 'x'), { maxLength: 3 });
  const named = fc
    .tuple(values, inner)
    .map(([names, value]): Parentheses => ({ kind: 'named', values: names.map((each) => ({ name: each, at, value })) }));
  const parentheses: fc.Arbitrary<Parentheses> = fc.oneof(named, fc.record({ kind: fc.constant('single' as const), value: inner }));
  return fc.oneof(
    plainSegment,
    fc.record({ name: fc.constantFrom('Sets', 'Ns.Function'), at: fc.constant(at), parentheses }),
    fc.record({ name: fc.constant('Ns.Function'), at: fc.constant(at), parentheses: named, resultKey: parentheses }),
    fc.record({ name: fc.constant('$filter'), at: fc.constant(at), filter: inner }),
  );
}

function paths(inner: fc.Arbitrary<CommonExpr>): fc.Arbitrary<MemberExpr> {
  const start: fc.Arbitrary<Pick<MemberExpr, 'base' | 'path'>> = fc.oneof(
    fc.constantFrom('$it', '$this', '$root', 'Media', '@Ns.Term').map((text) => ({ path: [{ name: text, at }] })),
    fc.uniqueArray(fc.constantFrom('a', 'b'), { minLength: 1 }).chain((names) =>
      inner.map((value) => ({
        path: [
          { name: 'Ns.Unbound', at, parentheses: { kind: 'named' as const, values: names.map((each) => ({ name: each, at, value })) } },
        ],
      })),
    ),
    alias.map((base) => ({ base, path: [] })),
    fc
      .record({
        kind: fc.constant('methodCall' as const),
        at: fc.constant(at),
        method: fc.constant('concat'),
        arguments: fc.array(inner, { maxLength: 2 }),
      })
      .map((base) => ({ base, path: [] })),
  );
  const options = fc.record({ filter: inner, search: searches(2) }, { requiredKeys: [] }).filter((each) => Object.keys(each).length > 0);
  const count: fc.Arbitrary<PathSegment> = fc.oneof(
    fc.constant({ name: '$count', at }),
    options.map((each) => ({ name: '$count', at, options: each })),
  );
  const rest = fc.tuple(fc.array(segments(inner), { minLength: 1, maxLength: 3 }), fc.option(count, { nil: undefined }));
  return fc
    .tuple(start, rest)
    .map(([first, [more, last]]) => ({ kind: 'member', at, ...first, path: [...first.path, ...more, ...(last ? [last] : [])] }));
}

const operators = (Object.keys(precedences) as BinaryOperator[]).filter((operator) => operator !== 'in');
const leaf: fc.Arbitrary<CommonExpr> = fc.oneof(member, literal, alias, enumeration);

function exprs(depth: number, lambdas: number): fc.Arbitrary<CommonExpr> {
  if (depth === 0) return leaf;
  const inner = exprs(depth - 1, lambdas);
  const items = fc.array(inner, { maxLength: 3 });
  const all: fc.Arbitrary<CommonExpr>[] = [
    leaf,
    fc.record({
      kind: fc.constant('unary' as const),
      at: fc.constant(at),
      operator: fc.constantFrom('not' as const, '-' as const),
      operand: inner,
    }),
    fc.record({
      kind: fc.constant('binary' as const),
      at: fc.constant(at),
      operator: fc.constantFrom(...operators),
      left: inner,
      right: inner,
    }),
    fc.record({
      kind: fc.constant('methodCall' as const),
      at: fc.constant(at),
      method: fc.constantFrom('concat', 'geo.distance', 'now'),
      arguments: items,
    }),
    fc.record({
      kind: fc.constant('methodCall' as const),
      at: fc.constant(at),
      method: fc.constant('cast'),
      arguments: fc.tuple(inner, fc.constant({ kind: 'type' as const, at, name: 'Edm.String' })),
    }),
    fc.record({
      kind: fc.constant('binary' as const),
      at: fc.constant(at),
      operator: fc.constant('in' as const),
      left: inner,
      right: fc.record({ kind: fc.constant('list' as const), at: fc.constant(at), items }),
    }),
    fc
      .oneof(
        member,
        alias.map((base) => ({ kind: 'member' as const, at, base, path: [] })),
      )
      .map((source) => ({ kind: 'lambda' as const, at, operator: 'any' as const, source })),
    paths(inner),
    fc.record({ kind: fc.constant('array' as const), at: fc.constant(at), items }),
    fc
      .tuple(fc.uniqueArray(fc.constantFrom('a', '@odata.type', 'with "quotes" \\'), { maxLength: 3 }), inner)
      .map(([names, value]) => ({ kind: 'object' as const, at, members: names.map((each) => ({ name: each, at, value })) })),
    fc.record({
      kind: fc.constant('case' as const),
      at: fc.constant(at),
      branches: fc.array(fc.record({ condition: inner, value: inner }), { minLength: 1, maxLength: 2 }),
    }),
    fc.constant({
      kind: 'methodCall' as const,
      at,
      method: 'isof',
      arguments: [{ kind: 'type' as const, at, name: 'Collection(Ns.Type)' }],
    }),
  ];
  if (lambdas > 0) {
    all.push(
      fc.record({
        kind: fc.constant('lambda' as const),
        at: fc.constant(at),
        operator: fc.constantFrom('any' as const, 'all' as const),
        source: member,
        variable: fc.constantFrom('x', 'order'),
        predicate: exprs(depth - 1, lambdas - 1),
      }),
    );
  }
  return fc.oneof(...all);
}

const withoutPositions = (expr: CommonExpr): unknown =>
  JSON.parse(JSON.stringify(expr, (key, value: unknown) => (key === 'at' ? undefined : value)));

test('what is printed is parsed back', (t) => {
  fc.assert(
    fc.property(exprs(4, 2), (expr) => {
      t.deepEqual(withoutPositions(parseFilter(printExpr(expr))), withoutPositions(expr), printExpr(expr));
    }),
    { numRuns: 1000 },
  );
});

const pieces = fc.constantFrom(
  ...`' '' ( ) , / : ; = - + . @ $it $count null not eq and in has any all x City 5 1e9 2024-01-31 T00:00:00Z cast Edm.String geography' duration' " [ ] { } % @p $root $this $filter( $count($search= NOT case( Ns.F( Ns.Color'Red'`.split(
    ' ',
  ),
  ' ',
  '\t',
  '\u00a0',
  '\u{1f600}',
);

test('whatever is sent, the parser answers with a tree or an ODataError', (t) => {
  const mutated = fc.tuple(exprs(3, 1).map(printExpr), fc.nat(), fc.nat(4), pieces).map(([text, seed, cut, piece]) => {
    const index = seed % (text.length + 1);
    return text.slice(0, index) + piece + text.slice(index + cut);
  });
  const anything = fc.oneof(
    mutated,
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(anything, (text) => {
      try {
        printTree(parseFilter(text));
      } catch (error) {
        if (!(error instanceof ODataError) || error.status !== 400) throw error;
        t.regex(error.message, /\S\.$/);
      }
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

for (const [what, text] of [
  ['open parentheses', '('.repeat(100_000)],
  ['minus signs', '- '.repeat(50_000)],
  ['letters', `5${'a'.repeat(100_000)}5`],
  ['quotes', `'`.repeat(100_001)],
  ['digits', '5'.repeat(100_000)],
  ['a path', 'x/'.repeat(50_000)],
  ['brackets', '["a",'.repeat(20_000)],
  ['searches', `x/$count($search=${'a;b '.repeat(20_000)})`],
  ['searches that are negated', `x/$count($search=${'NOT '.repeat(20_000)})`],
  ['numbers with colons', `case(x gt ${'1:'.repeat(50_000)}1)`],
  ['operators', `x${' eq x'.repeat(50_000)}`],
] as const) {
  test(`a long run of ${what} is read in linear time`, (t) => {
    const start = process.cpuUsage();
    try {
      parseFilter(text);
    } catch (error) {
      t.true(error instanceof ODataError);
    }
    t.true(process.cpuUsage(start).user < 1_000_000);
  });
}
