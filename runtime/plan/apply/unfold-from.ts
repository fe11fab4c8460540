import { errors } from '../../errors/catalogue.js';
import type { AggregateItem, Transformation } from '../../uri/transformations.js';
import type { Scope } from '../scope.js';

/** Whether a value is aggregated first within each value of another property. */
export function hasFrom(items: readonly AggregateItem[]): boolean {
  return items.some(({ from, inner }) => from.length > 0 || (inner !== undefined && hasFrom([inner])));
}

/**
 * `aggregate(Amount with sum as Total from Month with average)` as the steps that it stands for: sums by month, and
 * then their average (Data Aggregation 3.2.1.5). The first sums have a name that no client can write.
 */
export function unfoldFrom(items: readonly AggregateItem[], scope: Scope): readonly Transformation[] {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0)
    throw errors
      .notImplemented(
        'from in an aggregate of several values',
        'Write groupby((‹text›),aggregate(‹number› with sum as Total))/aggregate(Total with average as Mean).',
      )
      .at(scope.option);
  if (item.inner) throw errors.notImplemented('from within the parentheses of a path').at(scope.option);
  const { from, alias, ...first } = item;
  const steps = from.map((_, index): Transformation => {
    const value = index === 0 ? { ...first, from: [], alias: between(0) } : again(item, index, between(index), scope);
    return { kind: 'groupby', at: item.at, groups: from.slice(index).map(({ path }) => path), transformations: [aggregateOf(value)] };
  });
  return [...steps, aggregateOf(again(item, from.length, alias, scope))];
}

function between(index: number): string {
  return `#from${index}`;
}

// Aggregates what the step before has made.
function again({ at, from }: AggregateItem, index: number, alias: string | undefined, scope: Scope): AggregateItem {
  const method = from[index - 1]?.method;
  if (method === undefined)
    throw errors
      .typeMismatch(`from needs a method for what it has aggregated, at position ${at + 1}: write ... from ‹text› with average.`)
      .at(scope.option);
  return {
    at,
    expression: { kind: 'member', at, path: [{ name: between(index - 1), at }] },
    method,
    from: [],
    ...(alias !== undefined && { alias }),
  };
}

function aggregateOf(item: AggregateItem): Transformation {
  return { kind: 'aggregate', at: item.at, items: [item] };
}
