import { quote } from '../../runtime/schema/identifier.js';
import { cutBytes, maxColumnBytes } from '../graph/names/names.js';

/** The name of the primary key, as PostgreSQL derives it from the table. */
export function primaryKeyOf(table: string): string {
  return quote(`${cutBytes(table, maxColumnBytes - '_pkey'.length)}_pkey`);
}
