import {
  columnOf,
  complexTypeNamed,
  complexTypeOf,
  fieldOf,
  own,
  targetOf,
  type ComplexType,
  type EntityContainer,
  type EntityType,
  type Navigation,
  type RecordType,
  type StructuredType,
} from '../edm/index.js';
import { stepsOf } from './path/nested-path.js';
import { entityTypeNamed } from './path/derivation.js';
import { ofType, propertyOf } from './check/check-property.js';
import { madeTypes } from './made-type.js';
import type { JsonPlace, PropertyExpr } from './typed-expr.js';

/** Where the JSON of one of them stands in the statement that makes a table of all. */
const item = { alias: 'item', column: 'value' } as const;

/** A column of that table: a value itself, the words of several, the number of the stored record that values name, or what the record with the same key has. */
export type MadeColumn =
  | { readonly kind: 'value'; readonly column: string; readonly value: PropertyExpr }
  | {
      readonly kind: 'words';
      readonly column: string;
      readonly texts: readonly { readonly value: PropertyExpr; readonly maxLength?: number }[];
    }
  | { readonly kind: 'related'; readonly column: string; readonly table: string; readonly on: readonly MadePair[] }
  | { readonly kind: 'stored'; readonly column: string };

/** A column of a stored record, and the value that it equals. */
export type MadePair = readonly [column: string, value: PropertyExpr];

/**
 * The values of a call as a place of their type, beside its sets: with it in the model, a request for them is planned
 * like any other. What they are related to is found by their keys and foreign keys.
 */
export interface MadePlace {
  /** The model, with this place in it. */
  readonly container: EntityContainer;
  readonly type: EntityType;
  readonly columns: readonly MadeColumn[];
  /** Where the stored records are that may have the same keys. */
  readonly stored?: { readonly table: string; readonly on: readonly MadePair[] };
}

const places = new WeakMap<EntityContainer, Map<string, MadePlace>>();

/** The place of made records of a type, and of those that derive from it; the same each time. */
export function madePlace(container: EntityContainer, declared: RecordType): MadePlace {
  const known = places.get(container) ?? new Map<string, MadePlace>();
  places.set(container, known);
  const place = known.get(declared.qualifiedName) ?? planPlace(container, declared);
  known.set(declared.qualifiedName, place);
  return place;
}

function planPlace(container: EntityContainer, declared: RecordType): MadePlace {
  const types = madeTypes(container, declared);
  const [type] = types;
  if (type === undefined) throw new Error(`${declared.name} is a type of its own.`);
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

function columnsOf(type: EntityType, container: EntityContainer): readonly MadeColumn[] {
  const values = Object.entries(type.fields).map(([name, field]): MadeColumn => ({
    kind: 'value',
    column: columnOf(type, name),
    value: propertyOf({ ...item, steps: [] }, name, field),
  }));
  const keys = Object.values(type.keyFields ?? {}).map((field): MadeColumn => ({
    kind: 'value',
    column: field.column ?? field.path,
    value: valueAt(field.path, type, container),
  }));
  const joins = Object.values(type.navigation).flatMap((navigation) =>
    Object.keys(navigation.join)
      .filter((column) => column.startsWith('#'))
      .map((column) => joinColumn(column, navigation, type, container)),
  );
  // A record that is joined to others by a table of its own is told by its number there. What is joined by a key is that of the values.
  return [{ kind: 'stored', column: '#id' }, ...(type.discriminated ? [typeColumn] : []), ...joins, ...values, ...keys];
}

// Those of all types together: records of others have null there, and no words of it.
function wordsColumn(types: readonly EntityType[]): readonly MadeColumn[] {
  const searchable = new Map(types.flatMap(({ fields }) => Object.entries(fields).filter(([, field]) => field.searchable)));
  const texts = [...searchable].map(([name, field]) => ({
    value: propertyOf({ ...item, steps: [] }, name, field),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
  }));
  return texts.length === 0 ? [] : [{ kind: 'words', column: '#search', texts }];
}

const typeColumn: MadeColumn = {
  kind: 'value',
  column: '#type',
  value: propertyOf({ ...item, steps: [] }, '#type', { type: 'Edm.String' }),
};

const absentNumber: PropertyExpr = propertyOf({ ...item, steps: [] }, '#id', { type: 'Edm.Int64' });

// By what the values say of the other record, and else by what the stored record leads to.
function joinColumn(column: string, { repeats = {}, ...navigation }: Navigation, type: EntityType, container: EntityContainer): MadeColumn {
  const nested = navigation.follows?.find((path) => `#${path}` === column);
  if (nested !== undefined) return { kind: 'value', column, value: valueAt(nested, type, container) };
  const on = Object.entries(repeats).map(([own_, other]): MadePair => [other, valueOfColumn(own_, type, container)]);
  return on.length === 0
    ? { kind: 'stored', column }
    : { kind: 'related', column, table: targetOf(container, navigation as Navigation).table, on };
}

function valueOfColumn(column: string, type: EntityType, container: EntityContainer): PropertyExpr {
  const name = Object.keys(type.fields).find((one) => columnOf(type, one) === column);
  return valueAt(name ?? column.replace(/^#/, ''), type, container);
}

// A value of the record, or one within a complex value of it.
function valueAt(path: string, type: EntityType, container: EntityContainer): PropertyExpr {
  let owner: StructuredType = type;
  let place: JsonPlace = { ...item, steps: [] };
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

// A contained record is found beneath its parent only, which nothing tells here.
function storedPlace(declared: RecordType, container: EntityContainer): MadePlace['stored'] {
  const stored = entityTypeNamed(container, declared.qualifiedName);
  if (stored === undefined || stored.contained || stored.singleton !== undefined || stored.key.length === 0) return undefined;
  const on = stored.key.map((name): MadePair => {
    const within = own(stored.keyFields ?? {}, name);
    return within
      ? [within.column ?? within.path, valueAt(within.path, stored, container)]
      : [columnOf(stored, name), valueAt(name, stored, container)];
  });
  return { table: stored.table, on };
}
