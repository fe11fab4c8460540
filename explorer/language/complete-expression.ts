import { type Family, familyNames, methods } from '../../runtime/expression/methods.js';
import { operatorNamed } from '../../runtime/expression/operators.js';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { type Item, keyword, memberItem, type Proposals, value } from './items.js';
import { type Member, membersOf, type Reached, valuesOf } from './reach.js';
import { type Before, type Frame, operandBefore, reachedBy } from './scan.js';

/** The proposals within an expression. */
export function expression(before: Before, tables: ShownTables): Proposals {
  const { tokens, end, frame, path } = before;
  if (path.length > 0 && endsWithSlash(before)) return { items: behindSlash(before, tables) };
  if (expectsOperand(before)) return operands(before, tables);
  const left = operandBefore(tokens, path.length > 0 ? tokens.length : end, frame, tables);
  return { items: operatorsFor(left, before) };
}

function endsWithSlash({ tokens }: Before): boolean {
  const last = tokens.at(-1);
  return last?.kind === 'symbol' && last.symbol === '/';
}

function expectsOperand({ tokens, frame, path, partial }: Before): boolean {
  const last = tokens.at(-1);
  if (path.length > 0 && partial === '' && !(last?.kind === 'symbol' && last.symbol === '/')) return false;
  if (tokens.length <= frame.first || last === undefined) return true;
  if (last.kind === 'symbol') return last.symbol !== ')';
  return last.kind === 'word' && (operatorNamed(last.name) !== undefined || last.name === 'not');
}

// After a collection come its conditions and its number, and after a record its members.
function behindSlash(before: Before, tables: ShownTables): readonly Item[] {
  const reached = reachedBy(before.path, before.frame, tables);
  if (reached?.many) return collectionItems;
  return reached?.kind === 'record' ? membersOf(reached.type, tables).map(memberItem) : [];
}

const collectionItems: readonly Item[] = [
  { label: 'any', kind: 'function', detail: 'of the items', insert: 'any(x:x', more: true },
  { label: 'all', kind: 'function', detail: 'of the items', insert: 'all(x:x', more: true },
  { label: '$count', kind: 'keyword', detail: 'number of items' },
];

// The values of the list on the left, members of its type, then the others and functions.
function operands(before: Before, tables: ShownTables): Proposals {
  const wanted = wantedBy(before, tables);
  const field = wanted?.kind === 'value' ? wanted.field : undefined;
  const family = wanted?.kind === 'value' ? wanted.family : undefined;
  const values = [...(field ? valuesOf(field) : []), ...literalsOf(family)].map(value);
  const members = startsOf(before.frame, tables);
  const near =
    family === undefined
      ? members
      : members.filter(({ reached }) => reached.kind === 'value' && !reached.many && reached.family === family);
  const others = members.filter((member) => !near.includes(member));
  const items = [
    ...values,
    ...near.map(memberItem),
    ...others.map(memberItem),
    ...functionItems(family, tables),
    ...(family ? [] : [keyword('not')]),
  ];
  return { items, ...(field?.lookup !== undefined && !field.allowedValues && { lookup: field.lookup }) };
}

// Within any and all, paths begin with a variable.
function startsOf({ variables, start }: Frame, tables: ShownTables): readonly Member[] {
  const named = [...variables].map(([name, reached]): Member => ({
    name,
    reached,
    detail: reached.kind === 'record' ? reached.type.name : '',
  }));
  return [...named, ...(start?.kind === 'record' ? membersOf(start.type, tables) : [])];
}

// The other side of the comparison, or the first argument of the operand's function.
function wantedBy({ tokens, frame, end }: Before, tables: ShownTables): Reached | undefined {
  if (frame.kind === 'list') return frame.left;
  const last = tokens[end - 1];
  if (last?.kind === 'word' && comparisons.has(last.name)) return operandBefore(tokens, end - 1, frame, tables);
  if (frame.kind !== 'call' || end > frame.first) return undefined;
  if (frame.argument > 0) return operandBefore(tokens, frame.first - 1, frame, tables);
  const family = methods.find(({ name }) => name === frame.callee)?.parameters[0];
  return family && { kind: 'value', family, many: false };
}

const comparisons: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'has',
  'in',
  'add',
  'sub',
  'mul',
  'div',
  'divby',
  'mod',
]);

function literalsOf(family: Family | undefined): readonly string[] {
  const today = new Date().toISOString();
  if (family === 'date') return [today.slice(0, 10), 'null'];
  if (family === 'timestamp') return [`${today.slice(0, 10)}T00:00:00Z`, 'now()', 'null'];
  return family === undefined ? [] : ['null'];
}

function functionItems(family: Family | undefined, { container: { filterFunctions } }: ShownTables): readonly Item[] {
  const offered = methods.filter(({ name }) => filterFunctions === undefined || filterFunctions.includes(name));
  const names = [...new Map(offered.map((method) => [method.name, method])).values()];
  const fitting = family === undefined ? names : names.filter(({ result }) => result !== 'Edm.Boolean');
  return fitting.map(({ name, parameters }) => ({
    label: name,
    kind: 'function',
    detail: `(${parameters.map((parameter) => familyNames[parameter].replace(/^an? /, '')).join(', ')})`,
    insert: parameters.length === 0 ? `${name}()` : `${name}(`,
    ...(parameters.length > 0 && { more: true as const }),
  }));
}

/** The operators after a value of each family; the first are the likeliest. */
const operators: { readonly [Name in Family]?: readonly string[] } = {
  string: ['eq', 'ne', 'in', 'gt', 'ge', 'lt', 'le'],
  number: ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'add', 'sub', 'mul', 'div', 'divby', 'mod'],
  boolean: ['and', 'or', 'eq', 'ne'],
  date: ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'add', 'sub'],
  timestamp: ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'add', 'sub'],
  time: ['eq', 'ne', 'gt', 'ge', 'lt', 'le'],
  duration: ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'add', 'sub'],
  guid: ['eq', 'ne', 'in', 'gt', 'ge', 'lt', 'le'],
  enumeration: ['eq', 'ne', 'in', 'has', 'gt', 'ge', 'lt', 'le'],
};

function operatorsFor(left: Reached | undefined, { tokens, frame }: Before): readonly Item[] {
  if (frame.option === '$orderby' && frame.kind === 'option') return ['desc', 'asc'].map(keyword);
  if (left?.many) return [{ label: 'has', kind: 'operator', detail: 'contains the item' }];
  const compared = tokens.findLast(
    (token, index) => index >= frame.first && token.kind === 'word' && /^(?:and|or|eq|ne|gt|ge|lt|le|in|has)$/.test(token.name),
  );
  const isCondition = compared?.kind === 'word' && comparisons.has(compared.name);
  const family = isCondition ? 'boolean' : left?.kind === 'value' ? left.family : undefined;
  const names = left?.kind === 'record' ? ['eq', 'ne'] : isCondition ? ['and', 'or'] : ((family && operators[family]) ?? []);
  const named: readonly Item[] = names.map((label) => ({
    label,
    kind: 'operator',
    detail: words[label] ?? '',
    insert: `${label} `,
    more: true,
  }));
  return frame.option === '$compute' && frame.kind === 'option' ? [...named, { label: 'as', kind: 'keyword', insert: 'as ' }] : named;
}

const words: { readonly [operator: string]: string } = {
  eq: '=',
  ne: '≠',
  gt: '>',
  ge: '≥',
  lt: '<',
  le: '≤',
  in: 'one of',
  has: 'has the flag',
  add: '+',
  sub: '−',
  mul: '×',
  div: '÷',
  divby: '÷, with fraction',
  mod: 'remainder',
};
