import { quote } from './identifier.js';

/** Whether a migration may change rows of a table: it names the table, other than to read it, to refer to it, or to index it. */
export function changesTable(migration: string, table: string): boolean {
  const name = quote(table).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const statements = migration.replace(/^--.*$/gm, '');
  return new RegExp(`(?<!\\b(?:references|join|on|(?<!delete )from) )${name}`, 'i').test(statements);
}
