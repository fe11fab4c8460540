import { type ComplexType, type Field, isArray } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { ofType, placeOf, typesOf } from '../../../plan/check/property-expr.js';
import { isPresent } from '../../../plan/value/check-literal.js';
import type { JsonPath, PropertyExpr, TypedExpr } from '../../../plan/typed-expr.js';
import { ofComplex, valuesOf, countOf } from '../../../plan/expr-facts.js';
import type { ItemStep } from '../../../plan/path/path-target.js';

/** The ordinal that a segment is, which no name can be; one beyond all items is beyond them still where it is made smaller. */
export function ordinalOf(segment: string): number | undefined {
  if (!/^-?\d+$/.test(segment)) return undefined;
  // Without a negative zero.
  return Math.max(-most, Math.min(most, Number(segment))) + 0;
}

// So that one more is an integer of the database too.
const most = 2_147_483_646;

/** The step to an item of a collection. */
export function itemStep(name: string, items: PropertyExpr, ordinal: number, among?: ComplexType): ItemStep {
  const { type, complex = among?.qualifiedName } = items;
  const { alias, column, more, steps } = placeOf(items);
  const place: JsonPath = {
    alias,
    column,
    ...(more !== undefined && { more }),
    steps: [...steps, { ordinal, ...(among && { among: typesOf(among) }) }],
  };
  const ofArray = steps.length === 0 && isArray({ type, collection: true });
  return {
    name,
    ordinal,
    items,
    ...(among && { among }),
    item: {
      kind: 'path',
      type,
      ...valuesOf(items),
      ...ofComplex(complex),
      collection: false,
      nullable: true,
      ...place,
      ...(ofArray && { ofArray }),
    },
  };
}

/** The field of an item: nullable only if the model says so. */
export function itemField(collection: Field): Field {
  const { collection: _, nullable: __, nullableItems, ...field } = collection;
  return nullableItems ? { ...field, nullable: true } : field;
}

/** A path with these places for its ordinals. */
export function withPlaces(path: string, places: readonly number[]): string {
  const left = [...places];
  return places.length === 0
    ? path
    : path
        .split('/')
        .map((segment) => (ordinalOf(segment) === undefined ? segment : (left.shift() ?? segment)))
        .join('/');
}

/** How many items the collection of a step has. */
export function itemsCount({ items, among }: ItemStep, alias: string): TypedExpr {
  const filter = among && isPresent(ofType({ alias, column: 'value', steps: [] }, among));
  return countOf({ kind: 'elements', joinSteps: [], alias, column: items, ...(filter && { filter }) });
}

/** The place of an item counted from the beginning, as addresses have it; 404 where the collection has no such item. */
export function placeOfItem({ name, ordinal }: Pick<ItemStep, 'name' | 'ordinal'>, count: number): number {
  const place = ordinal < 0 ? count + ordinal : ordinal;
  if (place >= 0 && place < count) return place;
  // A clamped ordinal is not the number in the request.
  const which = Math.abs(ordinal) === most ? 'of that number' : `${ordinal}`;
  throw errors
    .notFound(
      `item ${which} in ${name}`,
      count === 0
        ? ' The collection is empty.'
        : ` It has ${count} item${count === 1 ? '' : 's'}: the first is 0, the last is ${count - 1} or -1.`,
    )
    .at(name);
}
