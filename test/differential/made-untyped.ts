import { fc } from '../support/fast-check.js';
import type { DynamicType } from './dynamic.js';
import type { Expression } from './expression.js';
import { binary, call, leaf, literalOf } from './leaves.js';
import { places } from './literals.js';
import type { Expressions, Place } from './place.js';
import type { Box } from './places.js';
import type { TypeName } from './values.js';

const boxes: readonly Box[] = [
  [-1, -1, 1.25, 1.25],
  [0.5, 1.5, 2.5, 3.5],
  [-80, 40, -75, 50],
  [100, -20, 179.75, 20],
];

/** Distances that no two places have, in metres. */
const distances = [0, 1, 100_000, 1_000_000, 15_000_000] as const;

/** Conditions on a place relative to another, or within a box. */
export function onMap({ names }: Place): Expressions {
  const path = fc.constantFrom(...names.points);
  return fc.oneof(
    fc.record({
      kind: fc.constant('near' as const),
      path,
      place: fc.constantFrom(...places),
      operator: fc.constantFrom('lt', 'le', 'gt', 'ge', 'eq', 'ne'),
      metres: fc.constantFrom(...distances),
    }),
    fc.record({ kind: fc.constant('inside' as const), path, box: fc.constantFrom(...boxes) }),
  );
}

const types = ['string', 'decimal', 'boolean', 'date', 'timestamp'] as const satisfies readonly (TypeName & DynamicType)[];
const nothing: Expression = { kind: 'literal', type: 'string', value: null };

/** A property that the model does not declare, in a place that says what type it has there. */
export function dynamicCondition(place: Place): Expressions {
  const of = (type: DynamicType): Expressions =>
    fc.constantFrom(...place.names.dynamics).map((path) => ({ kind: 'dynamic' as const, path, type }));
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
  return fc.oneof(
    fc
      .constantFrom(...types)
      .chain((type) =>
        fc
          .tuple(operator, of(type), present(leaf(type, place)))
          .chain(([name, a, b]) => fc.constantFrom(binary(name, a, b), binary(name, b, a))),
      ),
    fc.tuple(fc.constantFrom('eq', 'ne'), of('any')).map(([name, a]) => binary(name, a, nothing)),
    // By itself it is a condition only where nothing but a condition can stand.
    of('boolean').map((operand): Expression => ({ kind: 'unary', operator: 'not', operand })),
    fc.tuple(fc.constantFrom('and', 'or'), of('boolean'), leaf('boolean', place)).map(([name, a, b]) => binary(name, a, b)),
    call(['contains', 'startswith', 'endswith'], of('string'), present(leaf('string', place))),
    fc
      .constantFrom('string' as const, 'decimal' as const)
      .chain((type) =>
        fc
          .tuple(of(type), fc.array(present(literalOf(type)), { minLength: 1, maxLength: 3 }))
          .map(([operand, items]): Expression => ({ kind: 'in', operand, items })),
      ),
    fc
      .tuple(operator, of('decimal'), present(leaf('decimal', place)), literalOf('decimal'))
      .map(([name, a, b, c]) => binary(name, binary('add', a, b), c)),
    fc.tuple(operator, call(['length'], of('string')), literalOf('int')).map(([name, a, b]) => binary(name, a, b)),
  );
}

// A bare null says nothing of the type.
function present(values: Expressions): Expressions {
  return values.filter((expr) => expr.kind !== 'literal' || expr.value !== null);
}
