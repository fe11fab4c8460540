import { printExpr } from '../expression/print.js';
import type { ComputeItem, OrderbyItem } from './query-options.js';

/** An item of `$orderby`. */
export function printOrderbyItem({ expression, descending }: OrderbyItem): string {
  return `${printExpr(expression)}${descending ? ' desc' : ''}`;
}

/** An item of `$compute`. */
export function printComputeItem({ expression, alias }: ComputeItem): string {
  return `${printExpr(expression)} as ${alias}`;
}
