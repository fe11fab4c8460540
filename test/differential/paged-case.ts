import { fc } from '../support/fast-check.js';
import { evaluate, scopeOf, type Entity } from './evaluate.js';
import { printExpression, type Expression } from './expression.js';
import { conditions, expandedConditions, sortable } from './generator.js';
import { sortablePartNames, type Names } from './names.js';
import { compareWithNull } from './values.js';

/** One term of `$orderby`. */
interface Term {
  readonly expression: Expression;
  readonly descending: boolean;
  /** Whether the value gets a name by `$compute`, and the order has the name. */
  readonly computed?: boolean;
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

/** The expansion of each item, which is paged. */
export interface ExpandedCase {
  readonly order: readonly Term[];
  readonly filter: Expression | undefined;
  readonly select: string;
  readonly skip: number | undefined;
  /** The source of the parts: the item, or its related one. */
  readonly through: 'Other' | undefined;
}

const sorted = (names?: Names): fc.Arbitrary<Expression> =>
  fc.oneof({ weight: 2, arbitrary: sortable(0, names) }, { weight: 1, arbitrary: sortable(2, names) }).map(({ expression }) => expression);

const term: fc.Arbitrary<Term> = fc.record({ expression: sorted(), descending: fc.boolean() });

const computedTerm: fc.Arbitrary<Term> = fc.tuple(term, fc.boolean()).map(([one, computed]) => ({ ...one, computed }));

/** Any order of up to four terms, any page size; columns of the order are mostly not selected. */
export const pagedCase: fc.Arbitrary<PagedCase> = fc.record({
  order: fc.array(computedTerm, { maxLength: 4, size: 'max' }),
  filter: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: conditions(2) }),
  select: fc.constantFrom('Id', 'Id,S,I', '*'),
  top: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  skip: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 }) }),
  maxpagesize: fc.integer({ min: 1, max: 12 }),
});

const partTerm: fc.Arbitrary<Term> = fc.record({
  expression: sorted(sortablePartNames),
  descending: fc.boolean(),
});

/** Any order of an expansion, by columns that are mostly not selected. */
export const expandedCase: fc.Arbitrary<ExpandedCase> = fc.record({
  order: fc.array(partTerm, { maxLength: 3, size: 'max' }),
  filter: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: expandedConditions(2) }),
  select: fc.constantFrom('No', 'No,Text', '*'),
  skip: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 4 }) }),
  through: fc.constantFrom(undefined, undefined, 'Other' as const),
});

/** The `$expand` of a case. */
export function expandOfCase({ order, filter, select, skip, through }: ExpandedCase): string {
  const options = [`$select=${select}`, ...optionsOf(order, filter), ...(skip === undefined ? [] : [`$skip=${skip}`])];
  const parts = `Parts(${options.join(';')})`;
  return `$expand=${encodeURIComponent(through === undefined ? parts : `${through}($expand=${parts})`)}`;
}

function optionsOf(order: readonly Term[], filter: Expression | undefined): readonly string[] {
  const terms = order.map(({ expression, descending }) => `${printExpression(expression)}${descending ? ' desc' : ''}`);
  return [
    ...(terms.length === 0 ? [] : [`$orderby=${terms.join(',')}`]),
    ...(filter === undefined ? [] : [`$filter=${printExpression(filter)}`]),
  ];
}

/** The query, without `$top`. */
export function queryOfCase({ order, filter, select, skip }: PagedCase): string {
  const names = order.map(({ expression, computed }, index) => (computed ? `V${index}` : printExpression(expression)));
  const terms = order.map(({ descending }, index) => `${names[index]}${descending ? ' desc' : ''}`);
  const values = order.flatMap(({ expression, computed }, index) =>
    computed ? [`${printExpression(expression)} as ${names[index]}`] : [],
  );
  const options = [
    `$select=${select}`,
    ...(values.length === 0 ? [] : [`$compute=${encodeURIComponent(values.join(','))}`]),
    ...(terms.length === 0 ? [] : [`$orderby=${encodeURIComponent(terms.join(','))}`]),
    ...(filter === undefined ? [] : [`$filter=${encodeURIComponent(printExpression(filter))}`]),
    ...(skip === undefined ? [] : [`$skip=${skip}`]),
  ];
  return options.join('&');
}

/** The order of two records: null lowest, and the key last, in the direction of the last term. */
export function compareRecords(left: Entity, right: Entity, order: readonly Term[], key = 'Id'): number {
  const last: Term = { expression: { kind: 'path', path: [key] }, descending: order.at(-1)?.descending ?? false };
  for (const { expression, descending } of [...order, last]) {
    const compared = compareWithNull(evaluate(expression, scopeOf(left)), evaluate(expression, scopeOf(right)));
    if (compared !== 0) return descending ? -compared : compared;
  }
  return 0;
}
