import { expressionHooks } from '../expression/hooks.js';
import { printExpr, printPath } from '../expression/print.js';
import type { ComputeItem, ExpandItem, OrderbyItem, QueryOptions, SelectItem } from './query-options.js';

function printOrderbyItem({ expression, descending }: OrderbyItem): string {
  return `${printExpr(expression)}${descending ? ' desc' : ''}`;
}

function printComputeItem({ expression, alias }: ComputeItem): string {
  return `${printExpr(expression)} as ${alias}`;
}

/** An option as in a URL, not percent-encoded. */
export interface PrintedOption {
  readonly name: string;
  readonly value: string;
}

/** Prints the options that select, order and shape the result; parsing the text gives the same trees. */
export function printOptions(options: QueryOptions): readonly PrintedOption[] {
  const { select, filter, search, orderby, compute, expand, count, levels, top, skip } = options;
  return [
    ...option('$select', select?.map(printSelectItem).join(',')),
    ...option('$filter', filter && printExpr(filter)),
    ...option('$search', search && expressionHooks.get('search').print(search)),
    ...option('$orderby', orderby?.map(printOrderbyItem).join(',')),
    ...option('$compute', compute?.map(printComputeItem).join(',')),
    ...option('$expand', expand?.map(printExpandItem).join(',')),
    ...option('$count', count?.toString()),
    ...option('$levels', levels?.toString()),
    ...option('$top', top?.toString()),
    ...option('$skip', skip?.toString()),
  ];
}

function option(name: string, value: string | undefined): readonly PrintedOption[] {
  return value === undefined ? [] : [{ name, value }];
}

function printSelectItem(item: SelectItem): string {
  if (item.kind === 'star') return '*';
  if (item.kind === 'operations') return `${item.namespace}.*`;
  return `${printPath(item, printExpr)}${item.parameterNames ? `(${item.parameterNames.join(',')})` : printInner(item.options)}`;
}

function printExpandItem({ path, options }: ExpandItem): string {
  return `${path.map(({ name }) => name).join('/')}${printInner(options)}`;
}

function printInner(options: QueryOptions = {}): string {
  const printed = printOptions(options).map(({ name, value }) => `${name}=${value}`);
  return printed.length === 0 ? '' : `(${printed.join(';')})`;
}
