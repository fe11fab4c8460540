import fc from 'fast-check';
import { evaluate, scopeOf, type Entity } from './evaluate.js';
import { printExpression, type Expression } from './expression.js';
import { conditions, sortable } from './generator.js';
import { compareWithNull } from './values.js';

/** One term of `$orderby`. */
export interface Term {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** A collection that is read page by page. */
export interface PagedCase {
  readonly order: readonly Term[];
  readonly filter: Expression | undefined;
  readonly select: string;
  readonly top: number | undefined;
  readonly skip: number | undefined;
  readonly maxpagesize: number;
}

const term: fc.Arbitrary<Term> = fc.record({ expression: fc.oneof({ weight: 2, arbitrary: sortable(0) }, { weight: 1, arbitrary: sortable(2) }), descending: fc.boolean() });

/** Any order of up to four terms, any page size; columns of the order are mostly not selected. */
export const pagedCase: fc.Arbitrary<PagedCase> = fc.record({
  order: fc.array(term, { maxLength: 4, size: 'max' }),
  filter: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: conditions(2) }),
  select: fc.constantFrom('Id', 'Id,S,I', '*'),
  top: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  skip: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 }) }),
  maxpagesize: fc.integer({ min: 1, max: 12 }),
});

/** The query, without `$top`. */
export function queryOfCase({ order, filter, select, skip }: PagedCase): string {
  const terms = order.map(({ expression, descending }) => `${printExpression(expression)}${descending ? ' desc' : ''}`);
  const options = [
    `$select=${select}`,
    ...(terms.length === 0 ? [] : [`$orderby=${encodeURIComponent(terms.join(','))}`]),
    ...(filter === undefined ? [] : [`$filter=${encodeURIComponent(printExpression(filter))}`]),
    ...(skip === undefined ? [] : [`$skip=${skip}`]),
  ];
  return options.join('&');
}

/** The order of two records: null lowest, and the key last, in the direction of the last term. */
export function compareRecords(left: Entity, right: Entity, order: readonly Term[]): number {
  const key: Term = { expression: { kind: 'path', path: ['Id'] }, descending: order.at(-1)?.descending ?? false };
  for (const { expression, descending } of [...order, key]) {
    const compared = compareWithNull(evaluate(expression, scopeOf(left)), evaluate(expression, scopeOf(right)));
    if (compared !== 0) return descending ? -compared : compared;
  }
  return 0;
}
