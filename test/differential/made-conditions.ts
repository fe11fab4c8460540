import { fc } from '../support/fast-check.js';
import type { Expression, Items } from './expression.js';
import { condition } from './generator.js';
import { binary, call, day, leaf, literalOf } from './leaves.js';
import { ratio, valueOf } from './made-values.js';
import { pathsTo } from './names.js';
import { inner, type Expressions, type Place } from './place.js';
import type { TypeName } from './values.js';

/** Types whose values have an order. */
export const comparable: readonly TypeName[] = [
  'string',
  'int',
  'decimal',
  'double',
  'boolean',
  'date',
  'time',
  'timestamp',
  'duration',
  'guid',
];

/** A comparison of two values of a type. */
export function comparison(type: TypeName, place: Place): Expressions {
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
  const right =
    type === 'int'
      ? fc.oneof(valueOf('int', place), valueOf('decimal', place))
      : type === 'double'
        ? fc.oneof(valueOf('double', place), leaf('int', place))
        : valueOf(type, place);
  const sides = type === 'boolean' ? condition(place) : valueOf(type, place);
  return fc.tuple(operator, sides, type === 'boolean' ? condition(place) : right).map(([name, a, b]) => binary(name, a, b));
}

/** A quotient is rounded to some digit; it is only compared with numbers that lie much wider apart. */
export function ratioComparison(place: Place): Expressions {
  return fc
    .tuple(fc.constantFrom('gt', 'ge', 'lt', 'le', 'ne', 'eq'), ratio(place), literalOf('decimal'))
    .map(([name, a, b]) => binary(name, a, b));
}

/** Everything stored lies before now, and nothing is as late as its parts. */
export function nowComparison(place: Place): Expressions {
  return fc
    .tuple(fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'), leaf('timestamp', place), call(['now']))
    .map(([name, a, b]) => binary(name, a, b));
}

/**
 * Days before the year 1 and after 9999 have no text, and centuries leave the known range, so they are only compared.
 */
export function dayComparison(place: Place): Expressions {
  const other = fc.tuple(fc.constantFrom('add', 'sub'), day(place), leaf('duration', place)).map(([name, a, b]) => binary(name, a, b));
  const span = fc.tuple(day(place), day(place)).map(([a, b]) => binary('sub', a, b));
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
  return fc
    .oneof(fc.tuple(operator, other, leaf('date', place)), fc.tuple(operator, span, fc.oneof(span, valueOf('duration', place))))
    .map(([name, a, b]) => binary(name, a, b));
}

/** A value and a list. */
export function inList(place: Place): Expressions {
  return fc
    .constantFrom(...comparable)
    .chain((type) =>
      fc
        .tuple(type === 'boolean' ? condition(inner(place)) : valueOf(type, place), fc.array(listItem(type, place), { maxLength: 4 }))
        .map(([operand, items]) => ({ kind: 'in' as const, operand, items })),
    );
}

function listItem(type: TypeName, place: Place): Expressions {
  if (type === 'boolean') return listLiteral(type);
  return fc.oneof({ weight: 5, arbitrary: listLiteral(type) }, { weight: 1, arbitrary: valueOf(type, place) });
}

function listLiteral(type: TypeName): Expressions {
  return type === 'int' || type === 'double' ? fc.oneof(literalOf(type), literalOf('decimal')) : literalOf(type);
}

/** `[S,I] in [['a',1],['b',2]]`. */
export function tupleIn(place: Place): Expressions {
  return fc
    .tuple(...tupleTypes.map((type) => fc.constantFrom(...pathsTo(type, place.names)).map((path): Expression => ({ kind: 'path', path }))))
    .chain((operands) =>
      fc.array(fc.tuple(...tupleTypes.map(literalOf)), { maxLength: 3 }).map((rows): Expression => ({ kind: 'tuple', operands, rows })),
    );
}

const tupleTypes = ['string', 'int'] as const;

/** Comparisons of collections: of the entity, of another one that may be missing, or literal. */
export function sameItems(place: Place): Expressions {
  const known = (
    [
      [/Tags|Marks/, 'string'],
      [/Nums/, 'int'],
    ] as const
  ).filter(([name]) => place.names.collections.some(({ path }) => name.test(path.at(-1) ?? '')));
  return fc.constantFrom(...known).chain(([name, type]) => {
    const stored = place.names.collections.filter(({ path }) => name.test(path.at(-1) ?? '')).map(({ path }): Items => ({ path }));
    const written: fc.Arbitrary<Items> = fc.array(fc.oneof(literalOf(type), leaf(type, place)), { maxLength: 3 });
    return fc.record({
      kind: fc.constant('collections' as const),
      operator: fc.constantFrom('eq' as const, 'ne' as const, 'hassubset' as const),
      left: fc.constantFrom(...stored),
      right: fc.oneof(fc.constantFrom(...stored), written),
    });
  });
}

/** `any`, `all` and `has` over what the place has. */
export function lambda(place: Place): Expressions {
  return fc
    .tuple(fc.constantFrom(...place.names.collections), fc.constantFrom('any' as const, 'all' as const))
    .chain(([{ path, variable, within }, operator]) => {
      const predicate = condition({ names: within, depth: place.depth - 1, lambdas: place.lambdas - 1 });
      const quantified = predicate.map((inside) => ({ kind: 'lambda' as const, operator, path, variable, predicate: inside }));
      const has = valueOf('string', inner(place))
        .filter((value) => value.kind !== 'literal' || value.value !== null)
        .map((value) => binary('has', { kind: 'path', path }, value));
      const empty = fc.constant<Expression>({ kind: 'lambda', operator: 'any', path, variable });
      return fc.oneof({ weight: 6, arbitrary: quantified }, { weight: 1, arbitrary: path.at(-1) === 'Tags' ? has : empty });
    });
}

/** A value of flags. */
export function flags({ names }: Place): Expressions {
  return fc.record({
    kind: fc.constant('flags' as const),
    path: fc.constantFrom(...names.flags),
    operator: fc.constantFrom('has', 'has', 'eq', 'ne'),
    value: fc.integer({ min: 1, max: 7 }),
  });
}

/** To-one navigation, a complex value or a place on a map, compared with null. */
export function recordIsNull(place: Place): Expressions {
  const nothing: Expression = { kind: 'literal', type: 'string', value: null };
  const paths = [...place.names.records, ...place.names.complexes, ...place.names.points];
  return fc
    .tuple(fc.constantFrom('eq', 'ne'), fc.constantFrom(...paths))
    .map(([operator, path]) => binary(operator, { kind: 'path', path }, nothing));
}

/** All that is navigated to one of is an item. */
export function recordsAreSame({ names: { records } }: Place): Expressions {
  return fc
    .tuple(fc.constantFrom('eq', 'ne'), fc.constantFrom(...records), fc.constantFrom(...records))
    .map(([operator, left, right]) => binary(operator, { kind: 'path', path: left }, { kind: 'path', path: right }));
}
