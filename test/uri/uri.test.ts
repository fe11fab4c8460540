import test from 'ava';
import '../support/features.js';
import { fc } from '../support/fast-check.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import type { CommonExpr, SearchExpr } from '../../runtime/expression/ast.js';
import { printTree } from '../support/print-tree.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import type { ExpandItem, OrderbyItem, QueryOptions, SelectItem } from '../../runtime/uri/query-options.js';
import type { KeyLiteral, KeyPredicate, PathPart } from '../../runtime/uri/resource-path.js';
import { checkCases } from '../support/cases.js';

test('query.case', (t) =>
  checkCases(t, 'uri/query.case', {
    options: (query) => printOptions(parseQueryOptions(query).options).join('\n') || '(none)',
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

function printOptions(options: QueryOptions): readonly string[] {
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
  return [`  of ${printTree(item)}`, ...printOptions(item.options).map((line) => `    ${line}`)];
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
  return [`expand ${path.map(({ name, at }) => `${name}@${at}`).join('/')}`, ...printOptions(options).map((line) => `  ${line}`)];
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
