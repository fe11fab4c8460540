import type { Schema } from '../../runtime/schema/schema.js';
import { localName } from '../../runtime/edm/lookup.js';

/** The name of a table's type, without its entity source. */
export function plainName(table: string): string {
  return table.replace(/@.*/s, '');
}

/** A property as decisions name it: those of a type in all of its tables; parents and singletons are not in the model. */
export function shownPath(table: string, column: string): readonly [type: string, property: string] {
  if (/^#(?:in\.|one$)/.test(column)) return [table, column];
  return [plainName(table), column.startsWith('#$value.') ? column : column.replace(/^#(.*?)(?:\.stream)?$/s, '$1')];
}

/** A type and its many-to-many navigation property. */
export type PairsProperty = readonly [type: string, property: string];

/** The many-to-many navigation property of a table of pairs, by the types of a schema; undefined for other tables. */
export function pairsProperty(name: string, { tables }: Schema): PairsProperty | undefined {
  const types = tables.flatMap((table) => [
    plainName(table.name),
    ...table.columns
      .flatMap((column) => [column, ...(column.holds ?? [])])
      .flatMap(({ types = [], valueTypes = [] }) => [...types, ...valueTypes].map(localName)),
  ]);
  const [type] = types.filter((each) => name.startsWith(`#${each}_`)).sort((a, b) => b.length - a.length);
  return type === undefined ? undefined : [type, plainName(name).slice(type.length + 2)];
}
