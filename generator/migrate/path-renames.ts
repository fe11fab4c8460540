import type { Schema } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names.js';
import type { Decisions } from './step.js';

/** What somebody says was renamed, with the columns that are computed of members of complex values: they follow the names on their path. */
export function withPathColumns(renamed: Decisions['renamed'], { tables }: Schema): Decisions['renamed'] {
  if (renamed.size === 0) return renamed;
  const columns = tables.flatMap((table) => table.columns.filter(({ name, generated }) => generated !== undefined && name.includes('/')).flatMap(({ name }) => {
    const now = nameNow(table.name, name, renamed);
    return now === name ? [] : [[`${table.name}/${name}`, now] as const];
  }));
  return new Map([...columns, ...renamed]);
}

// A member is told by its column's name from here on, and by the path that it had.
function nameNow(table: string, column: string, renamed: Decisions['renamed']): string {
  const [first = '', ...members] = column.slice(1).split('/');
  const root = renamed.get(`${table}/${first}`) ?? first;
  const now = members.map((member, index) => renamed.get([table, root, ...members.slice(0, index + 1)].join('/')) ?? member);
  return databaseName(`#${[root, ...now].join('/')}`);
}
