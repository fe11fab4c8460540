import { quote } from '../../runtime/schema/identifier.js';
import { cutBytes, maxColumnBytes } from '../graph/names.js';

/** The primary key of the numbers, under the name that PostgreSQL gave it after the table. */
export function primaryKeyOf(table: string): string {
  return quote(`${cutBytes(table, maxColumnBytes - '_pkey'.length)}_pkey`);
}
