import { primitives } from '../../runtime/edm/index.js';
import { printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Index, Column } from '../../runtime/schema/schema.js';
import { columnNamed } from '../graph/entities/column-named.js';
import type { EntityNode, FieldNode, IndexNode } from '../graph/model-graph.js';
import { databaseName } from '../graph/names/names.js';
import { quote } from '../../runtime/schema/identifier.js';
import { searchWords } from '../../runtime/schema/search-words.js';

/** The indexes of a table: those of the model, of its foreign keys, and of its search words. */
export function indexesOf(entity: EntityNode): readonly Index[] {
  const all = [...entity.indexes.map((index) => indexOf(entity, index)), ...joinIndexes(entity), ...searchIndex(entity)];
  return [...new Map(all.toReversed().map((index) => [printIndexBody(index), index])).values()].toReversed();
}

// An index that begins with the columns of a relation also serves the relation.
function joinIndexes(entity: EntityNode): readonly Index[] {
  const ordered = entity.indexes.filter(({ substrings }) => !substrings);
  const served = ordered.map(({ names }) => nodesOf(entity, names).map(({ column }) => column));
  const unserved = entity.navigation.flatMap(({ relation }) => {
    if (relation === undefined) return [];
    const columns = relation.internal === undefined ? relation.columns : [relation.internal.column];
    return served.some((listed) => columns.every((column, at) => listed[at] === column)) ? [] : [columns];
  });
  return unserved.map((columns) => ({ name: indexName(entity, `${columns.join(',')}#join`), terms: columns.map(quote) }));
}

function indexOf(entity: EntityNode, { names, substrings }: IndexNode): Index {
  const nodes = nodesOf(entity, names);
  const columns = nodes.map(({ column }) => column).join(',');
  const [only] = nodes;
  if (only !== undefined && substrings)
    return { name: indexName(entity, `${columns}#substrings`), method: 'gin', terms: [`${quote(only.column)} gin_trgm_ops`] };
  const name = indexName(entity, columns);
  if (only?.field.collection) return { name, method: 'gin', terms: [quote(only.column)] };
  if (only !== undefined && primitives[only.field.type].cell === 'point') return { name, method: 'spgist', terms: [quote(only.column)] };
  // Null sorts lowest in OData.
  const ordered = nodes.map(({ column, field }) => `${quote(column)}${field.nullable ? ' nulls first' : ''}`);
  return { name, terms: [...ordered, ...endOfOrder(entity, names)] };
}

// The last terms of every order, as in `planOrder`: the key, or `#id` where the key may change.
function endOfOrder(entity: EntityNode, names: readonly string[]): readonly string[] {
  const missing = entity.key.filter((key) => !names.includes(key));
  if (missing.length === 0) return [];
  if (entity.keyGeneration?.strategy === 'sequence' && entity.keyGeneration.acceptGeneratedPart) return [quote('#id')];
  return missing.map((name) => quote(columnNamed(entity, name)));
}

function nodesOf({ fields }: EntityNode, names: readonly string[]): readonly FieldNode[] {
  return names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
}

function indexName({ table }: EntityNode, what: string): string {
  return databaseName(`${table}#${what}`);
}

/** The generated column of an entity's search words, if it has searchable properties. */
export function searchColumn(entity: EntityNode): readonly Column[] {
  const texts = searchable(entity).map(({ column, field: { maxLength } }) => ({
    sql: quote(column),
    ...(maxLength !== undefined && { maxLength }),
  }));
  return texts.length === 0 ? [] : [{ name: '#search', type: 'tsvector', generated: searchWords(texts) }];
}

/** The index for `$search`. */
function searchIndex(entity: EntityNode): readonly Index[] {
  return searchable(entity).length === 0 ? [] : [{ name: indexName(entity, '#search'), method: 'gin', terms: [quote('#search')] }];
}

function searchable({ fields }: EntityNode): readonly FieldNode[] {
  return fields.filter(({ field }) => field.searchable);
}
