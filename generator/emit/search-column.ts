import type { Column, Index } from '../../runtime/schema/schema.js';
import { searchWords } from '../../runtime/schema/search-words.js';
import type { EntityNode, FieldNode } from '../graph/model-graph.js';
import { databaseName } from '../graph/names/names.js';
import { quote } from '../../runtime/schema/identifier.js';

/** The generated column of an entity's search words, if it has searchable properties. */
export function searchColumn(entity: EntityNode): readonly Column[] {
  const texts = searchable(entity).map(({ column, field: { maxLength } }) => ({
    sql: quote(column),
    ...(maxLength !== undefined && { maxLength }),
  }));
  return texts.length === 0 ? [] : [{ name: '#search', type: 'tsvector', generated: searchWords(texts) }];
}

/** The index for `$search`. */
export function searchIndex(entity: EntityNode): readonly Index[] {
  return searchable(entity).length === 0
    ? []
    : [{ name: databaseName(`${entity.table}##search`), method: 'gin', terms: [quote('#search')] }];
}

function searchable({ fields }: EntityNode): readonly FieldNode[] {
  return fields.filter(({ field }) => field.searchable);
}
