import type { ItemRanges } from '../plan/read-plan.js';
import type { StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';

/** The items of collections within each other, each with its place. */
export function compileItemRanges(ranges: ItemRanges['ranges'], builder: StatementBuilder): string {
  return ranges
    .map(({ alias, items, single }) =>
      single
        ? `(select ${compileValue(items, builder)}, 1) ${alias}(value, place)`
        : `jsonb_array_elements(${compileValue(items, builder)}) with ordinality ${alias}(value, place)`,
    )
    .join(', ');
}
