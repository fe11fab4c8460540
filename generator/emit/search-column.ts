import type { Column, Index } from '../../runtime/schema/schema.js';
import type { EntityNode, FieldNode } from '../graph/model-graph.js';
import { databaseName } from '../graph/names.js';
import { quote } from './identifier.js';

/** The column with the words of an entity's searchable properties, where it has some; PostgreSQL keeps it up to date. */
export function searchColumn(entity: EntityNode): readonly Column[] {
  const vectors = searchable(entity).map(vectorOf);
  return vectors.length === 0 ? [] : [{ name: '#search', type: 'tsvector', generated: vectors.join(separator) }];
}

/** The index that serves `$search`. */
export function searchIndex(entity: EntityNode): readonly Index[] {
  return searchable(entity).length === 0 ? [] : [{ name: databaseName(`${entity.table}##search`), method: 'gin', terms: [quote('#search')] }];
}

function searchable({ fields }: EntityNode): readonly FieldNode[] {
  return fields.filter(({ field }) => field.searchable);
}

/** A text that may be longer is cut: a tsvector holds a megabyte of words, and a write must not fail for that. */
const searchedCharacters = 10_000;

// The configuration is named, since the expression of a stored column must not depend on a setting.
function vectorOf({ column, field: { maxLength = Infinity } }: FieldNode): string {
  const text = maxLength > searchedCharacters ? `left(${quote(column)}, ${searchedCharacters})` : quote(column);
  return `to_tsvector('simple', coalesce(${text}, ''))`;
}

// A lexeme that no text has keeps a phrase from reaching over the end of one property into the next.
const separator = ` || '''#'':1'::tsvector || `;
