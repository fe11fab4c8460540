import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { expression } from './complete-expression.js';
import { isNavigation, type Item, keyword, memberItem, optionItems, type Proposals, value } from './items.js';
import { type Member, membersOf } from './reach.js';
import { type Before, reachedBy } from './scan.js';

/** The proposals for the place after the text before the cursor. */
export function proposals(before: Before, tables: ShownTables): Proposals {
  const { frame } = before;
  if (frame.kind === 'inner' && frame.option === '') return { items: optionItems.filter(({ label }) => label !== '$apply') };
  switch (frame.option.toLowerCase()) {
    case '$select':
      return { items: afterComma(before) ? memberItems(before, tables, () => true) : [] };
    case '$expand':
      return { items: afterComma(before) ? memberItems(before, tables, ({ reached }) => isNavigation(reached)) : [] };
    case '$count':
      return { items: [value('true'), value('false')] };
    case '$apply':
      return applied(before, tables);
    case '$filter':
    case '$orderby':
    case '$compute':
      return expression(before, tables);
    default:
      return { items: frame.option.startsWith('@') ? expression(before, tables).items : [] };
  }
}

function afterComma({ tokens, end, frame }: Before): boolean {
  const last = tokens[end - 1];
  return end <= frame.first || (last?.kind === 'symbol' && /^[,=(:/]$/.test(last.symbol));
}

function memberItems(before: Before, tables: ShownTables, fits: (member: Member) => boolean): readonly Item[] {
  const reached = reachedBy(before.path, before.frame, tables);
  if (reached?.kind !== 'record') return [];
  const members = membersOf(reached.type, tables).filter(fits).map(memberItem);
  return before.frame.option === '$select' && before.path.length === 0 ? [...members, keyword('*')] : members;
}

const transformations: readonly Item[] = [
  { label: 'groupby', kind: 'function', detail: '((properties),aggregate(...))', insert: 'groupby((', more: true },
  { label: 'aggregate', kind: 'function', detail: '(value with method as Name)', insert: 'aggregate(', more: true },
  { label: 'filter', kind: 'function', detail: '(condition)', insert: 'filter(', more: true },
  { label: 'compute', kind: 'function', detail: '(value as Name)', insert: 'compute(', more: true },
  ...['orderby', 'topcount', 'bottomcount', 'top', 'skip', 'concat', 'search'].map((label): Item => ({
    label,
    kind: 'function',
    insert: `${label}(`,
    more: true,
  })),
];

const aggregations = ['sum', 'average', 'min', 'max', 'countdistinct'] as const;

function applied(before: Before, tables: ShownTables): Proposals {
  const { frame, tokens, end } = before;
  const last = tokens[end - 1];
  if (frame.kind === 'option') return { items: transformations };
  if (frame.callee === 'filter' || frame.callee === 'compute' || frame.kind === 'lambda') return expression(before, tables);
  if (last?.kind === 'word' && last.name === 'with') return { items: aggregations.map(keyword) };
  if (frame.kind === 'call' && frame.callee === 'groupby' && end > frame.first - 1 && isComma(last))
    return { items: transformations.slice(1, 2) };
  if (frame.callee === 'aggregate' && !afterComma(before)) return { items: [keyword('with'), keyword('as')] };
  const items = memberItems(before, tables, () => true);
  return {
    items:
      frame.callee === 'aggregate' && before.path.length === 0
        ? [{ label: '$count', kind: 'keyword', insert: '$count as ' }, ...items]
        : items,
  };
}

function isComma(token: Before['tokens'][number] | undefined): boolean {
  return token?.kind === 'symbol' && token.symbol === ',';
}
