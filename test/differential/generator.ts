import fc from 'fast-check';
import { binary, call, leaf } from './leaves.js';
import { comparable, comparison, complexComparison, dayComparison, flags, inList, lambda, nowComparison, ratioComparison, recordIsNull, recordsAreSame, sameItems, tupleIn } from './made-conditions.js';
import { ofItems, valueOf } from './made-values.js';
import { expandedNames, rootNames, sortableNames, type Names } from './names.js';
import { inner, once, type Expressions, type Place } from './place.js';
import type { TypeName } from './values.js';

/** Conditions over an item, up to a depth; only well-typed ones, with null in every place where a value may stand. */
export function conditions(depth: number): Expressions {
  return condition({ names: rootNames, depth, lambdas: 2 });
}

/** Conditions over a part that is expanded. */
export function expandedConditions(depth: number): Expressions {
  return condition({ names: expandedNames, depth, lambdas: 0 });
}

/** Values that `$orderby` can sort by. */
export function sortable(depth: number, names: Names = sortableNames): Expressions {
  return fc.constantFrom<TypeName>('string', 'int', 'decimal', 'double', 'boolean', 'date', 'time', 'timestamp', 'duration', 'guid')
    .chain((type) => valueOf(type, { names, depth, lambdas: 0 }));
}

/** A condition where it stands: a leaf, or what operators and functions make of others. */
export function condition(place: Place): Expressions {
  return once('condition', place, () => {
    if (place.depth <= 0) return leaf('boolean', place);
    const below = inner(place);
    const one = condition(below);
    return fc.oneof(
      { withCrossShrink: true },
      { weight: 1, arbitrary: leaf('boolean', place) },
      ...comparable.map((type) => ({ weight: type === 'string' || type === 'int' ? 3 : 1, arbitrary: comparison(type, below) })),
      { weight: 3, arbitrary: inList(below) },
      { weight: 1, arbitrary: tupleIn(below) },
      { weight: 4, arbitrary: fc.tuple(fc.constantFrom('and', 'or'), one, one).map(([operator, left, right]) => binary(operator, left, right)) },
      { weight: 3, arbitrary: one.map((operand) => ({ kind: 'unary' as const, operator: 'not' as const, operand })) },
      { weight: 2, arbitrary: call(['contains', 'startswith', 'endswith'], valueOf('string', below), valueOf('string', below)) },
      { weight: 1, arbitrary: ratioComparison(below) },
      { weight: 1, arbitrary: dayComparison(below) },
      { weight: 1, arbitrary: flags(place) },
      { weight: 1, arbitrary: complexComparison(place) },
      ...(place.names.lists.length === 0 ? [] : [{ weight: 2, arbitrary: ofItems(place, ['contains', 'startswith', 'endswith', 'hassubset', 'hassubsequence']) }]),
      { weight: 1, arbitrary: recordIsNull(place) },
      { weight: 1, arbitrary: recordsAreSame(place) },
      // An order by the clock would be another one on every page, and is refused.
      ...(place.names === sortableNames || place.names === expandedNames ? [] : [{ weight: 1, arbitrary: nowComparison(below) }]),
      ...(place.lambdas > 0 ? [{ weight: 4, arbitrary: lambda(place) }, { weight: 1, arbitrary: sameItems(below) }] : []),
    );
  });
}
