import { keyFieldOf } from '../../runtime/edm/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import type { Described } from '../language/describe.js';
import type { Row } from './state.js';

/** The query whose answer has a record: contained ones are addressed by it. */
type Query = Pick<Described, 'address' | 'kind'> | undefined;

/** The address of the collection that a query's records belong to: that of a set, or of contained records. */
export function collectionOf({ entitySet, contained }: EntityType, query: Query): string | undefined {
  if (entitySet !== undefined) return `/${entitySet}`;
  return contained === 'many' && query?.kind === 'collection' ? pathOf(query) : undefined;
}

/** The address of a record, if it is known by its type and the query, and its whole key is in the row. */
export function addressOf(row: Row, type: EntityType, query: Query): string | undefined {
  const { singleton, contained, key } = type;
  if (singleton !== undefined) return `/${singleton}`;
  if (contained && query?.kind === 'entity') return pathOf(query);
  const collection = collectionOf(type, query);
  const values = key.map((name) => keyValue(row, type.keyFields?.[name]?.path ?? name));
  if (collection === undefined || key.length === 0 || values.some((value) => value === undefined || value === null)) return undefined;
  const literals = key.map((name, index) => literalOf(String(values[index]), keyFieldOf(type, name)));
  const named = literals.length === 1 ? literals : literals.map((literal, index) => `${key[index]}=${literal}`);
  return `${collection}(${named
    .map(encodeURIComponent)
    .map((part) => part.replaceAll('%3D', '='))
    .join(',')})`;
}

// A path with a condition or a function has no records below it.
function pathOf({ address }: NonNullable<Query>): string | undefined {
  const [path = ''] = address.split('?', 1);
  return /\$|%24|\.\w+\(/i.test(path) ? undefined : path;
}

function keyValue(row: Row, path: string): unknown {
  return path.split('/').reduce((value: unknown, name) => (value as Row | null | undefined)?.[name], row);
}

function literalOf(text: string, field: Field | undefined): string {
  if (field?.type === 'Edm.String' || field?.enumeration) return `'${text.replaceAll("'", "''")}'`;
  return field?.type === 'Edm.Duration' || field?.type === 'Edm.Binary' ? `${field.type.slice(4).toLowerCase()}'${text}'` : text;
}
