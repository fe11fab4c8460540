import type { JoinTable } from '../edm/index.js';
import { columnReference, identifier } from './builder.js';

/** Whether a join table relates two records, which are in the statement under their aliases. */
export function compileThrough({ table, own, other }: JoinTable, from: string, to: string): string {
  const name = identifier(table);
  return `exists (select from ${name} where ${name}.${identifier(own)} = ${columnReference(from, '#id')} and ${name}.${identifier(other)} = ${columnReference(to, '#id')})`;
}
