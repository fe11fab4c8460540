import { streamColumns } from '../../runtime/edm/index.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import type { Decisions } from './step.js';

/** Decided renames, extended to the columns of a stream's metadata, which follow the stream. */
export function withStreamFacts(renamed: Decisions['renamed']): Decisions['renamed'] {
  const ofStream = /^([^/]*\/)?(#.*)\.stream$/;
  const facts = [...renamed].flatMap(([from, to]) => {
    const [, table = '', before] = ofStream.exec(from) ?? [];
    const after = ofStream.exec(to)?.[2];
    if (before === undefined || after === undefined) return [];
    const [old, now] = [streamColumns({ column: before }), streamColumns({ column: after })];
    return (['type', 'length', 'etag'] as const).map((fact) => [`${table}${old[fact]}`, now[fact]] as const);
  });
  return new Map([...renamed, ...facts]);
}

/** Decided renames, extended to generated columns over complex members, which follow the names on their path. */
export function withPathColumns(renamed: Decisions['renamed'], { tables }: Schema): Decisions['renamed'] {
  if (renamed.size === 0) return renamed;
  const columns = tables.flatMap((table) =>
    table.columns
      .filter(({ name, generated }) => generated !== undefined && name.includes('/'))
      .flatMap(({ name }) => {
        const now = nameNow(table.name, wholeName(table, name), renamed);
        return now === name ? [] : [[`${table.name}/${name}`, now] as const];
      }),
  );
  return new Map([...columns, ...renamed]);
}

// The name of a long path is shortened in a column.
function wholeName({ columns }: Table, name: string): string {
  const members = columns
    .flatMap((column) => [column, ...(column.holds ?? [])])
    .flatMap(({ name: root, within = [] }) => within.map(({ path }) => `#${root}/${path}`));
  return members.find((path) => databaseName(path) === name) ?? name;
}

// A member is named by its new column, and its old path.
function nameNow(table: string, column: string, renamed: Decisions['renamed']): string {
  const [first = '', ...members] = column.slice(1).split('/');
  const root = renamed.get(`${table}/${first}`) ?? first;
  const now = members.map((member, index) => renamed.get([table, root, ...members.slice(0, index + 1)].join('/')) ?? member);
  return databaseName(`#${[root, ...now].join('/')}`);
}
