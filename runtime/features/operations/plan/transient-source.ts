import type { ComplexType, EntityContainer, EntityType, Navigation, RecordType, StructuredType } from '../../../edm/index.js';
import { columnOf, complexTypeNamed, complexTypeOf, fieldOf, own, targetOf } from '../../../edm/index.js';
import { stepsOf } from '../../../plan/path/nested-path.js';
import { entityTypeNamed } from '../../../plan/path/derivation.js';
import { ofType, propertyOf } from '../../../plan/check/property-expr.js';
import { transientEntityTypes } from './transient-type.js';
import type { JsonPath, PropertyExpr } from '../../../plan/typed-expr.js';
import { memoized } from '../../../edm/memoized.js';

/** The JSON of one entity in the statement that makes a table of all. */
const item = { alias: 'item', column: 'value' } as const;

/** A column of the transient table: a value, search words, the `#id` of a row that values reference, or a column of the stored row. */
export type TransientColumn =
  | { readonly kind: 'value'; readonly column: string; readonly value: PropertyExpr }
  | {
      readonly kind: 'words';
      readonly column: string;
      readonly texts: readonly { readonly value: PropertyExpr; readonly maxLength?: number }[];
    }
  | { readonly kind: 'related'; readonly column: string; readonly table: string; readonly on: readonly JoinPair[] }
  | { readonly kind: 'stored'; readonly column: string };

/** A column of a stored row, and the value that it equals. */
export type JoinPair = readonly [column: string, value: PropertyExpr];

/**
 * The result of a call as a transient entity source, in addition to the model's sets: requests for its entities are
 * planned like any others. Related rows are found by keys and foreign keys.
 */
export interface TransientSource {
  /** The model with this entity source. */
  readonly container: EntityContainer;
  readonly type: EntityType;
  readonly columns: readonly TransientColumn[];
  /** The table of stored rows that may have the same keys. */
  readonly stored?: { readonly table: string; readonly on: readonly JoinPair[] };
}

const placesOf = memoized<EntityContainer, [], Map<string, TransientSource>>(() => new Map());

/** The transient entity source of a type and its derived types; cached. */
export function transientSource(container: EntityContainer, declared: RecordType): TransientSource {
  const known = placesOf(container);
  const place = known.get(declared.qualifiedName) ?? planPlace(container, declared);
  known.set(declared.qualifiedName, place);
  return place;
}

function planPlace(container: EntityContainer, declared: RecordType): TransientSource {
  const types = transientEntityTypes(container, declared);
  const [type] = types;
  if (type === undefined) throw new Error(`${declared.name} has its own table.`);
  const stored = storedPlace(declared, container);
  const columns = new Map(
    [...types.flatMap((one) => columnsOf(one, container)), ...wordsColumn(types)].map((column) => [column.column, column]),
  );
  return {
    container: {
      ...container,
      entityTypes: { ...container.entityTypes, ...Object.fromEntries(types.map((one) => [`${one.name}${one.place}`, one])) },
    },
    type,
    columns: [...columns.values()].map((column) =>
      column.kind === 'stored' && stored === undefined ? { kind: 'value', column: column.column, value: absentNumber } : column,
    ),
    ...(stored && { stored }),
  };
}

function columnsOf(type: EntityType, container: EntityContainer): readonly TransientColumn[] {
  const values = Object.entries(type.fields).map(([name, field]): TransientColumn => ({
    kind: 'value',
    column: columnOf(type, name),
    value: propertyOf({ ...item, steps: [] }, name, field),
  }));
  const keys = Object.values(type.keyFields ?? {}).map((field): TransientColumn => ({
    kind: 'value',
    column: field.column ?? field.path,
    value: valueAt(field.path, type, container),
  }));
  const joins = Object.values(type.navigation).flatMap((navigation) =>
    Object.keys(navigation.join)
      .filter((column) => column.startsWith('#'))
      .map((column) => joinColumn(column, navigation, type, container)),
  );
  // With join tables, the stored row's `#id` identifies the entity; keyed joins use the values.
  return [{ kind: 'stored', column: '#id' }, ...(type.discriminated ? [typeColumn] : []), ...joins, ...values, ...keys];
}

// The words of all types together; null and no words for entities of other types.
function wordsColumn(types: readonly EntityType[]): readonly TransientColumn[] {
  const searchable = new Map(types.flatMap(({ fields }) => Object.entries(fields).filter(([, field]) => field.searchable)));
  const texts = [...searchable].map(([name, field]) => ({
    value: propertyOf({ ...item, steps: [] }, name, field),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
  }));
  return texts.length === 0 ? [] : [{ kind: 'words', column: '#search', texts }];
}

const typeColumn: TransientColumn = {
  kind: 'value',
  column: '#type',
  value: propertyOf({ ...item, steps: [] }, '#type', { type: 'Edm.String' }),
};

const absentNumber: PropertyExpr = propertyOf({ ...item, steps: [] }, '#id', { type: 'Edm.Int64' });

// The reference by the values, or else that of the stored row.
function joinColumn(
  column: string,
  { mirrors = {}, ...navigation }: Navigation,
  type: EntityType,
  container: EntityContainer,
): TransientColumn {
  const nested = navigation.follows?.find((path) => `#${path}` === column);
  if (nested !== undefined) return { kind: 'value', column, value: valueAt(nested, type, container) };
  const on = Object.entries(mirrors).map(([own_, other]): JoinPair => [other, valueOfColumn(own_, type, container)]);
  return on.length === 0
    ? { kind: 'stored', column }
    : { kind: 'related', column, table: targetOf(container, navigation as Navigation).table, on };
}

function valueOfColumn(column: string, type: EntityType, container: EntityContainer): PropertyExpr {
  const name = Object.keys(type.fields).find((one) => columnOf(type, one) === column);
  return valueAt(name ?? column.replace(/^#/, ''), type, container);
}

// A value of the entity, possibly nested in a complex value.
function valueAt(path: string, type: EntityType, container: EntityContainer): PropertyExpr {
  let owner: StructuredType = type;
  let place: JsonPath = { ...item, steps: [] };
  const { steps, name } = stepsOf(path);
  for (const step of steps) {
    const complex: ComplexType = complexTypeOf(container, fieldOf(owner, step.name) ?? missing(path, type));
    const derived = complexTypeNamed(container, step.type ?? '');
    const inner = { ...place, steps: [...place.steps, step.name] };
    place = derived ? ofType(inner, derived) : inner;
    owner = derived ?? complex;
  }
  return propertyOf(place, name, fieldOf(owner, name) ?? missing(path, type));
}

function missing(path: string, { name }: EntityType): never {
  throw new Error(`${name} has no property ${path}.`);
}

// A contained entity is found only below its parent, which is unknown here.
function storedPlace(declared: RecordType, container: EntityContainer): TransientSource['stored'] {
  const stored = entityTypeNamed(container, declared.qualifiedName);
  if (stored === undefined || stored.contained || stored.singleton !== undefined || stored.key.length === 0) return undefined;
  const on = stored.key.map((name): JoinPair => {
    const within = own(stored.keyFields ?? {}, name);
    return within
      ? [within.column ?? within.path, valueAt(within.path, stored, container)]
      : [columnOf(stored, name), valueAt(name, stored, container)];
  });
  return { table: stored.table, on };
}
