import test from 'ava';
import { ODataError } from '../../runtime/errors/odata-error.js';
import type { CommonExpr, SearchExpr } from '../../runtime/expression/ast.js';
import { parseEntityId } from '../../runtime/protocol/entity-id.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import { printOptions } from '../../runtime/uri/print-options.js';
import type { ExpandItem, OrderbyItem, QueryOptions, SelectItem } from '../../runtime/uri/query-options.js';
import type { KeyLiteral, KeyPredicate, PathPart } from '../../runtime/uri/resource-path.js';
import { checkCases } from '../support/cases.js';
import { fc } from '../support/fast-check.js';
import '../support/features.js';
import { printTree } from '../support/print-tree.js';

test('query.case', (t) =>
  checkCases(t, 'uri/query.case', {
    options: (query) => linesOf(parseQueryOptions(query).options).join('\n') || '(none)',
  }));

test('raw.case', (t) =>
  checkCases(t, 'uri/raw.case', {
    raw: (query) =>
      parseQueryOptions(query)
        .raw.map(({ name, value, text }) => `${name} | ${value} | ${text}`)
        .join('\n'),
  }));

test('path.case', (t) =>
  checkCases(t, 'uri/path.case', {
    parts: (path) => parseResourcePath(path).parts.map(printPart).join(' / ') || '(root)',
  }));

function linesOf(options: QueryOptions): readonly string[] {
  const { filter, orderby, select, expand, compute, search, apply, aliases, ...rest } = options;
  return [
    ...(filter === undefined ? [] : [`filter ${printTree(filter)}`]),
    ...(orderby ?? []).map(printOrderby),
    ...(select === undefined ? [] : [`select ${select.map(printSelect).join(' ')}`, ...select.flatMap(printSelectOptions)]),
    ...(expand ?? []).flatMap(printExpand),
    ...(compute ?? []).map(({ expression, alias, at }) => `compute ${printTree(expression)} as ${alias}@${at}`),
    ...(search === undefined ? [] : [`search ${printSearchTree(search)}`]),
    ...(apply ?? []).map((transformation) => `apply ${printNode(transformation)}`),
    ...[...(aliases ?? [])].map(([name, value]) => `alias ${name} ${printTree(value)}`),
    ...Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`),
  ];
}

function printOrderby({ expression, descending }: OrderbyItem): string {
  return `orderby ${printTree(expression)} ${descending ? 'desc' : 'asc'}`;
}

function printSelect(item: SelectItem): string {
  if (item.kind === 'operations') return `${item.namespace}.*@${item.at}`;
  if (item.kind === 'star') return `*@${item.at}`;
  return `${printTree(item)}${item.parameterNames ? `(${item.parameterNames.join(',')})` : ''}@${item.at}`;
}

function printSelectOptions(item: SelectItem): readonly string[] {
  if (item.kind !== 'member' || item.options === undefined) return [];
  return [`  of ${printTree(item)}`, ...linesOf(item.options).map((line) => `    ${line}`)];
}

function printSearchTree(search: SearchExpr): string {
  switch (search.kind) {
    case 'term':
      return search.phrase ? JSON.stringify(search.text) : search.text;
    case 'not':
      return `(not ${printSearchTree(search.operand)})`;
    default:
      return `(${[search.kind, ...search.operands.map(printSearchTree)].join(' ')})`;
  }
}

const searchKinds: ReadonlySet<unknown> = new Set(['term', 'not', 'and', 'or']);
const expressionKinds: ReadonlySet<unknown> = new Set([
  'literal',
  'member',
  'unary',
  'binary',
  'methodCall',
  'lambda',
  'alias',
  'enum',
  'array',
  'object',
  'case',
]);

// Transformations as nested lists: the kind, then every field but the offset.
function printNode(node: unknown): string {
  if (Array.isArray(node)) return `[${node.map(printNode).join(' ')}]`;
  if (typeof node !== 'object' || node === null) return String(node);
  const { kind, at: _, ...fields } = node as { readonly [name: string]: unknown };
  if (expressionKinds.has(kind)) return printTree(node as CommonExpr);
  if (searchKinds.has(kind)) return printSearchTree(node as SearchExpr);
  if ('name' in fields && kind === undefined && Object.keys(fields).length === 1) return String(fields['name']);
  return `(${[...(kind === undefined ? [] : [kind]), ...Object.entries(fields).map(([name, value]) => `${name}=${printNode(value)}`)].join(' ')})`;
}

function printExpand({ path, options }: ExpandItem): readonly string[] {
  return [`expand ${path.map(({ name, at }) => `${name}@${at}`).join('/')}`, ...linesOf(options).map((line) => `  ${line}`)];
}

function printPart({ key, resultKey, filter, sets, name }: PathPart): string {
  if (filter) return `${name} ${printTree(filter)}`;
  if (sets) return `${name} ${sets.join(' ')}`;
  return `${printKeyed(name, key)}${resultKey ? ` then${printKeyed('', resultKey)}` : ''}`;
}

function printKeyed(name: string, key: KeyPredicate | undefined): string {
  if (key === undefined) return name;
  if (key.kind === 'single') return `${name} [${printLiteral(key.literal)}]`;
  return `${name} [${key.literals.map((each) => `${each.name}: ${printLiteral(each.literal)}`).join(', ')}]`;
}

function printLiteral({ text, quoted, prefix = '' }: KeyLiteral): string {
  return quoted ? `${prefix}${JSON.stringify(text)}` : text;
}

const onlyRefuses = (run: () => unknown): boolean => {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ODataError) || error.status === 500) throw error;
  }
  return true;
};

const queryPiece = fc.constantFrom(
  '$apply=',
  '$search=',
  '$compute=',
  'aggregate(',
  'groupby((',
  'rollup(',
  ' with sum as ',
  ' as ',
  'concat(',
  'filter(',
  'search(',
  '$all',
  '$count',
  '$levels=max',
  '@p=',
  '@p',
  '"',
  '[',
  ']',
  '{',
  '}',
  ':',
  'case(',
  ' AND ',
  'NOT ',
  '$filter(',
  'Ns.Color',
  '$it',
  '$root/',
  '$filter=',
  '$expand=',
  '$select=',
  '$orderby=',
  '&',
  '=',
  ';',
  ',',
  '(',
  ')',
  '*',
  '/',
  `'`,
  '%27',
  '%',
  '%2',
  '%FF',
  '%00',
  '+',
  'Media',
  'City',
  ' eq ',
  '$top=',
  '5',
  '$count=true',
  '@a',
  '$ref',
  'é',
  '\u{1f600}',
  '\ud800',
);

test('whatever the query string is, it is read or refused', (t) => {
  fc.assert(
    fc.property(fc.array(queryPiece, { maxLength: 25 }), (pieces) => onlyRefuses(() => parseQueryOptions(pieces.join('')))),
    { numRuns: 2000 },
  );
  t.pass();
});

test('whatever the path is, it is read or refused', (t) => {
  const piece = fc.oneof(queryPiece, fc.constantFrom('%28', '%29', '%2F', 'Key=', '//'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => onlyRefuses(() => parseResourcePath(pieces.join('')))),
    { numRuns: 2000 },
  );
  t.pass();
});

test('a key comes back whatever it holds', (t) => {
  const key = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/\p{Cc}/u.test(text));
  fc.assert(
    fc.property(key, (text) => {
      const path = `/Property('${encodeURIComponent(text.replaceAll(`'`, `''`))}')/Media`;
      const parts = parseResourcePath(path).parts.map(({ name, key: given }) => ({ name, given }));
      t.deepEqual(parts, [
        { name: 'Property', given: { kind: 'single', literal: { text, quoted: true } } },
        { name: 'Media', given: undefined },
      ]);
    }),
    { numRuns: 500 },
  );
});

const list = (size: number, item = (index: number): string => `a${index}`): string =>
  Array.from({ length: size }, (_, index) => item(index)).join(',');
const nest = (size: number, open: string, inner: string, close = ')'): string => `${open.repeat(size)}${inner}${close.repeat(size)}`;

/** Query strings of a size: the limit itself is read, one more is refused. */
const limits: readonly (readonly [string, number, (size: number) => string, RegExp])[] = [
  ['options', 64, (size) => list(size).replaceAll(',', '&'), /more than 64 options/],
  ['items of $orderby', 8, (size) => `$orderby=${list(size)}`, /more than 8 items/],
  ['items of $select', 1000, (size) => `$select=${list(size)}`, /more than 1000 items/],
  ['levels of $select', 16, (size) => `$select=${nest(size, 'a($select=', 'a')}`, /more than 16 levels deep/],
  ['items of $compute', 100, (size) => `$compute=${list(size, (index) => `1 as a${index}`)}`, /more than 100 items/],
  ['items of $expand', 20, (size) => `$expand=a($expand=${list(size - 1)})`, /more than 20 items/],
  ['levels of $expand', 3, (size) => `$expand=${nest(size - 1, 'a($expand=', 'a')}`, /more than 3 levels deep/],
  ['options of an item', 64, (size) => `$expand=a(${list(size, (index) => `@a${index}=1`).replaceAll(',', ';')})`, /more than 64 options/],
  ['names of a path in $select', 50, (size) => `$select=${list(size).replaceAll(',', '/')}`, /more than 50 names/],
  ['names of a path in $expand', 50, (size) => `$expand=${list(size).replaceAll(',', '/')}`, /more than 50 names/],
  ['names of a path in $apply', 50, (size) => `$apply=aggregate(${list(size).replaceAll(',', '/')} with max as M)`, /more than 50 names/],
  ['items of an array', 1000, (size) => `@a=[${list(size, () => '1')}]`, /more than 1000 items/],
  ['arrays in arrays', 64, (size) => `@a=${nest(size, '[', '1', ']')}`, /more than 64 levels deep/],
  ['objects in objects', 64, (size) => `@a=${nest(size, '{"a":', '1', '}')}`, /more than 64 levels deep/],
  ['branches of case', 499, (size) => `$filter=case(${list(size, () => 'a:b')})`, /more than 1000 operands/],
  ['parentheses of a search', 64, (size) => `$search=${nest(size, '(', 'a')}`, /more than 64 levels deep/],
  ['negations of a search', 64, (size) => `$search=${'NOT '.repeat(size)}a`, /more than 64 levels deep/],
  ['words of a search', 1000, (size) => `$search=${list(size).replaceAll(',', ' ')}`, /more than 1000 operands/],
  ['transformations in transformations', 64, (size) => `$apply=${nest(size, 'concat(identity,', 'identity')}`, /more than 64 levels deep/],
  ['transformations', 1000, (size) => `$apply=${list(size, () => 'identity').replaceAll(',', '/')}`, /more than 1000 operands/],
];

for (const [what, limit, textOf, message] of limits) {
  test(`${limit} ${what} are read and one more is refused`, (t) => {
    t.notThrows(() => parseQueryOptions(textOf(limit)));
    const error = t.throws(() => parseQueryOptions(textOf(limit + 1)), { instanceOf: ODataError });
    t.regex(error.message, message);
  });
}

test('16 sets of $crossjoin are read and one more is refused', (t) => {
  t.notThrows(() => parseResourcePath(`/$crossjoin(${list(16)})`));
  t.throws(() => parseResourcePath(`/$crossjoin(${list(17)})`), { instanceOf: ODataError, message: /more than 16 entity sets/ });
});

function idOf(length: number): string {
  return `Member('${'x'.repeat(length - "Member('')".length)}')`;
}

test('an id of 4096 characters is read and a longer one is refused', (t) => {
  const base = { root: 'http://localhost/odata', host: undefined, path: '/$entity' };
  t.is(parseEntityId(idOf(4096), base).parts.length, 1);
  t.throws(() => parseEntityId(idOf(4097), base), { instanceOf: ODataError, message: /more than 4096 characters/ });
});

test('50 segments of a path are read and one more is refused', (t) => {
  t.notThrows(() => parseResourcePath('/a'.repeat(50)));
  t.throws(() => parseResourcePath('/a'.repeat(51)), { instanceOf: ODataError, message: /more than 50 segments/ });
});

function keyValues(count: number): string {
  return Array.from({ length: count }, (_, index) => `K${index}=1`).join();
}

test('50 values in the parentheses of a path are read and one more is refused', (t) => {
  t.notThrows(() => parseResourcePath(`/A(${keyValues(50)})`));
  t.throws(() => parseResourcePath(`/A(${keyValues(51)})`), { instanceOf: ODataError, message: /position 3 have more than 50 values/ });
});

for (const [what, query] of [
  ['transformations', `$apply=${'concat('.repeat(50_000)}`],
  ['paths to aggregate', `$apply=aggregate(${'a/'.repeat(50_000)}b)`],
  ['nested aggregates', `$apply=aggregate(${'a('.repeat(50_000)}`],
  ['semicolons in a search', `$expand=a($search=${'a;'.repeat(50_000)})`],
  ['keywords in a search', `$search=${'OR '.repeat(50_000)}`],
  ['parentheses in $select', `$select=${'a($select='.repeat(20_000)}`],
] as const) {
  test(`a long run of ${what} is read in linear time`, (t) => {
    const start = process.cpuUsage();
    try {
      parseQueryOptions(query);
    } catch (error) {
      t.true(error instanceof ODataError);
    }
    t.true(process.cpuUsage(start).user < 1_000_000);
  });
}

/** Options as they are printed, which may be another spelling than the one sent; undefined where it is the same. */
const spellings: readonly (readonly [sent: string, printed?: string])[] = [
  ['$select=City,*'],
  ['$select=Ns.*,Address/City'],
  ["$filter=not (City eq 'O''Hara') and Media/any(m:m/Order gt 1)"],
  ['$filter=(ListPrice add 1) mul 2 gt -3.5'],
  ['$orderby=ListPrice desc,length(City)'],
  ['$orderby=City asc', '$orderby=City'],
  ['$compute=ListPrice mul 2 as Twice,Twice add 1 as More'],
  ['$search="red \\"sky\\"" OR (blue NOT train)', '$search="red \\"sky\\"" OR (blue AND NOT train)'],
  ['$expand=*/$ref,Media/$count($filter=Order gt 1;$search=a)'],
  [
    '$expand=Media($expand=Property($levels=max;$expand=Rooms($top=1;$skip=2;$count=true));$select=Order)',
    '$expand=Media($select=Order;$expand=Property($expand=Rooms($count=true;$top=1;$skip=2);$levels=max))',
  ],
  ['$expand=Media($orderby=Order desc;$compute=Order add 1 as Next)'],
];

for (const [sent, printed = sent] of spellings) {
  test(`printed options parse again: ${sent}`, (t) => {
    const text = print(sent);
    t.is(text, printed);
    t.is(print(text), text);
  });
}

function print(query: string): string {
  const { options } = parseQueryOptions(query.split('&').map(encode).join('&'));
  return printOptions(options)
    .map(({ name, value }) => `${name}=${value}`)
    .join('&');
}

function encode(option: string): string {
  const equals = option.indexOf('=');
  return `${option.slice(0, equals)}=${encodeURIComponent(option.slice(equals + 1))}`;
}
