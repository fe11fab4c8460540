import { fc } from '../support/fast-check.js';
import type { Expression } from './expression.js';
import { binary, call, leaf } from './leaves.js';
import {
  comparable,
  comparison,
  dayComparison,
  flags,
  inList,
  lambda,
  nowComparison,
  ratioComparison,
  recordIsNull,
  recordsAreSame,
  sameItems,
  tupleIn,
} from './made-conditions.js';
import { ofItems, valueOf } from './made-values.js';
import { dynamicCondition, onMap } from './made-untyped.js';
import { expandedNames, pathsTo, rootNames, sortableNames, sortablePartNames, type Names } from './names.js';
import { inner, once, type Expressions, type Place } from './place.js';
import type { TypeName } from './values.js';

/** Conditions over an item, up to a depth; only well-typed ones, with null in every place where a value may stand. */
export function conditions(depth: number): Expressions {
  return condition({ names: rootNames, depth, lambdas: 2 });
}

/** Conditions over a part that is expanded. */
export function expandedConditions(depth: number): Expressions {
  return condition({ names: expandedNames, depth, lambdas: 1 });
}

/** Values that `$orderby` can sort by. */
export function sortable(depth: number, names: Names = sortableNames): fc.Arbitrary<Sortable> {
  return fc
    .constantFrom(...comparable)
    .chain((type) => valueOf(type, { names, depth, lambdas: 0 }).map((expression) => ({ type, expression })));
}

/** A value and its type. */
export interface Sortable {
  readonly type: TypeName;
  readonly expression: Expression;
}

const ownNames = new Map(
  comparable.map((type): [TypeName, Names] => [
    type,
    { ...rootNames, paths: { ...rootNames.paths, [type]: [...pathsTo(type, rootNames), ['Own'], ['Own'], ['$it', 'Own']] } },
  ]),
);

/** Conditions that may name a computed value, Own, of a type. */
export function comparisonsOf(type: TypeName, depth: number): Expressions {
  const names: Names = { ...(ownNames.get(type) ?? rootNames), members: [] };
  const own: Expressions = fc.constant({ kind: 'path', path: ['Own'] });
  const beside = fc
    .tuple(
      fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'),
      own,
      type === 'boolean' ? leaf(type, { names: rootNames, depth: 0, lambdas: 0 }) : valueOf(type, { names, depth: 1, lambdas: 0 }),
    )
    .map(([operator, left, right]) => binary(operator, left, right));
  return fc.oneof(
    beside,
    fc.tuple(fc.constantFrom('and', 'or'), beside, conditions(depth)).map(([operator, left, right]) => binary(operator, left, right)),
  );
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
      {
        weight: 4,
        arbitrary: fc.tuple(fc.constantFrom('and', 'or'), one, one).map(([operator, left, right]) => binary(operator, left, right)),
      },
      { weight: 3, arbitrary: one.map((operand) => ({ kind: 'unary' as const, operator: 'not' as const, operand })) },
      { weight: 2, arbitrary: call(['contains', 'startswith', 'endswith'], valueOf('string', below), valueOf('string', below)) },
      { weight: 1, arbitrary: ratioComparison(below) },
      { weight: 1, arbitrary: dayComparison(below) },
      { weight: 1, arbitrary: flags(place) },
      ...(place.names.lists.length === 0
        ? []
        : [{ weight: 2, arbitrary: ofItems(place, ['contains', 'startswith', 'endswith', 'hassubset', 'hassubsequence']) }]),
      { weight: 1, arbitrary: recordIsNull(place) },
      ...(place.names.points.length === 0 ? [] : [{ weight: 1, arbitrary: onMap(place) }]),
      ...(place.names.dynamics.length === 0 ? [] : [{ weight: 2, arbitrary: dynamicCondition(place) }]),
      { weight: 1, arbitrary: recordsAreSame(place) },
      // An order by the clock would be another one on every page, and is refused.
      ...(place.names === sortableNames || place.names === expandedNames || place.names === sortablePartNames
        ? []
        : [{ weight: 1, arbitrary: nowComparison(below) }]),
      ...(place.lambdas > 0
        ? [
            { weight: 4, arbitrary: lambda(place) },
            { weight: 1, arbitrary: sameItems(below) },
          ]
        : []),
    );
  });
}
