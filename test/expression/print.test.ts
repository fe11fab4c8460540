import test from 'ava';
import fc from 'fast-check';
import { ODataError } from '../../runtime/errors/odata-error.js';
import type { BinaryOperator, CommonExpr, LiteralExpr, LiteralType, MemberExpr } from '../../runtime/expression/ast.js';
import { precedences } from '../../runtime/expression/operators.js';
import { parseFilter } from '../../runtime/expression/parser.js';
import { printExpr, printTree } from '../../runtime/expression/print.js';

const at = 0;
const name = fc.constantFrom('City', 'ListPrice', 'constructor', 'save', 'Straße', 'x', 'a_1', 'not', 'in', 'asc');
const member: fc.Arbitrary<MemberExpr> = fc.array(name, { minLength: 1, maxLength: 3 })
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

const operators = (Object.keys(precedences) as BinaryOperator[]).filter((operator) => operator !== 'in');
const leaf: fc.Arbitrary<CommonExpr> = fc.oneof(member, literal);

function exprs(depth: number, lambdas: number): fc.Arbitrary<CommonExpr> {
  if (depth === 0) return leaf;
  const inner = exprs(depth - 1, lambdas);
  const items = fc.array(inner, { maxLength: 3 });
  const all: fc.Arbitrary<CommonExpr>[] = [
    leaf,
    fc.record({ kind: fc.constant('unary' as const), at: fc.constant(at), operator: fc.constantFrom('not' as const, '-' as const), operand: inner }),
    fc.record({ kind: fc.constant('binary' as const), at: fc.constant(at), operator: fc.constantFrom(...operators), left: inner, right: inner }),
    fc.record({ kind: fc.constant('methodCall' as const), at: fc.constant(at), method: fc.constantFrom('concat', 'geo.distance', 'now'), arguments: items }),
    fc.record({ kind: fc.constant('methodCall' as const), at: fc.constant(at), method: fc.constant('cast'), arguments: fc.tuple(inner, fc.constant({ kind: 'type' as const, at, name: 'Edm.String' })) }),
    fc.record({ kind: fc.constant('binary' as const), at: fc.constant(at), operator: fc.constant('in' as const), left: inner, right: fc.record({ kind: fc.constant('list' as const), at: fc.constant(at), items }) }),
    member.map((source) => ({ kind: 'lambda' as const, at, operator: 'any' as const, source })),
  ];
  if (lambdas > 0) {
    all.push(fc.record({ kind: fc.constant('lambda' as const), at: fc.constant(at), operator: fc.constantFrom('any' as const, 'all' as const), source: member, variable: fc.constantFrom('x', 'order'), predicate: exprs(depth - 1, lambdas - 1) }));
  }
  return fc.oneof(...all);
}

const withoutPositions = (expr: CommonExpr): unknown => JSON.parse(JSON.stringify(expr, (key, value: unknown) => (key === 'at' ? undefined : value)));

test('what is printed is parsed back', (t) => {
  fc.assert(fc.property(exprs(4, 2), (expr) => {
    t.deepEqual(withoutPositions(parseFilter(printExpr(expr))), withoutPositions(expr), printExpr(expr));
  }), { numRuns: 1000 });
});

const pieces = fc.constantFrom(...`' '' ( ) , / : ; = - + . @ $it $count null not eq and in has any all x City 5 1e9 2024-01-31 T00:00:00Z cast Edm.String geography' duration' " [ { %`.split(' '), ' ', '\t', '\u00a0', '\u{1f600}');

test('whatever is sent, the parser answers with a tree or an ODataError', (t) => {
  const mutated = fc.tuple(exprs(3, 1).map(printExpr), fc.nat(), fc.nat(4), pieces).map(([text, seed, cut, piece]) => {
    const index = seed % (text.length + 1);
    return text.slice(0, index) + piece + text.slice(index + cut);
  });
  const anything = fc.oneof(mutated, fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')), fc.string({ unit: 'binary' }));
  fc.assert(fc.property(anything, (text) => {
    try {
      printTree(parseFilter(text));
    } catch (error) {
      if (!(error instanceof ODataError)) throw error;
      t.regex(error.message, /\S\.$/);
    }
  }), { numRuns: 2000 });
  t.pass();
});

for (const [what, text] of [
  ['open parentheses', '('.repeat(100_000)],
  ['minus signs', '- '.repeat(50_000)],
  ['letters', `5${'a'.repeat(100_000)}5`],
  ['quotes', `'`.repeat(100_001)],
  ['digits', '5'.repeat(100_000)],
  ['a path', 'x/'.repeat(50_000)],
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
