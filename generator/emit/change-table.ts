import { changeColumns, changeSequence, changeStateColumns, changeStateTable, changeTable } from '../../runtime/edm/index.js';
import { takeMark } from '../../runtime/schema/change-mark.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Table, TakeOver } from '../../runtime/schema/schema.js';
import type { EntityNode } from '../graph/model-graph.js';

const { number, set, key, operation, at, before } = changeColumns;

/** The tables of the change log, for a model with tracked sets; it takes over the events of a former table. */
export function changeTables(entities: readonly EntityNode[]): readonly Table[] {
  const tracked = entities.filter(({ tracking, hierarchy }) => tracking !== undefined && hierarchy.setType === undefined);
  if (tracked.length === 0) return [];
  const events = entities.find((entity) => entity.events !== undefined);
  return [
    {
      name: changeTable,
      columns: [
        { name: number, type: 'bigint', identity: true },
        { name: set, type: 'text', collation: 'C', notNull: true },
        { name: key, type: 'text', collation: 'C', notNull: true },
        { name: operation, type: 'text', collation: 'C', notNull: true },
        { name: at, type: 'timestamp with time zone', notNull: true, default: 'now()' },
        { name: before, type: 'jsonb' },
      ],
      constraints: [],
      // The last change of a record, and the events of one. Few sets share a key; each write pays for the width of the index.
      indexes: [{ name: `${changeTable}#record`, terms: [key, number].map(quote) }],
      ...(events?.events && { takesOver: takeOver(events, events.events, tracked) }),
    },
    stateTable,
  ];
}

const { one, floor, merged, swept, horizon, timeline } = changeStateColumns;

const stateTable: Table = {
  name: changeStateTable,
  columns: [
    { name: one, type: 'boolean', notNull: true, default: 'true' },
    ...[floor, merged, swept, horizon].map((name): Column => ({ name, type: 'bigint', notNull: true, default: '0' })),
    { name: timeline, type: 'text', collation: 'C' },
  ],
  constraints: [
    { kind: 'primary key', name: `${changeStateTable}#one`, columns: [one] },
    { kind: 'check', name: `${changeStateTable}#only`, expression: quote(one) },
  ],
  indexes: [],
  row: {},
};

// Numbers stay, and the sequence goes on after them; a record that no longer exists was deleted last.
function takeOver({ table }: EntityNode, events: NonNullable<EntityNode['events']>, tracked: readonly EntityNode[]): TakeOver {
  const [sequence = '', name = '', ofRecord = ''] = [events.sequence, events.set, events.key].map((column) => `old.${quote(column)}`);
  const values = [name, ofRecord, lastOperation(name, ofRecord, tracked)];
  const columns = [set, key, operation].map(quote);
  const log = quote(changeTable);
  const isCopied = `exists (select from ${log} log where log.${quote(number)} = ${sequence} and log.${quote(set)} = ${name} and log.${quote(key)} = ${ofRecord})`;
  return {
    table,
    first: [
      `insert into ${log} (${[quote(number), ...columns].join(', ')}) select ${[sequence, ...values].join(', ')} from ${quote(table)} old;`,
      `select setval(${literal(quote(changeSequence))}, greatest(max(${quote(number)}), 1), max(${quote(number)}) is not null) from ${log};`,
    ],
    last: [
      `${takeMark};`,
      `insert into ${log} (${columns.join(', ')}) select ${values.join(', ')} from ${quote(table)} old where not ${isCopied} order by ${sequence};`,
    ],
  };
}

function lastOperation(name: string, ofRecord: string, tracked: readonly EntityNode[]): string {
  const exists = tracked.flatMap(({ key: [only, ...more], fields, table, entitySet = '' }) => {
    const column = fields.find((field) => field.name === only)?.column;
    if (column === undefined || more.length > 0) return [];
    return [`when ${literal(entitySet)} then exists (select from ${quote(table)} there where there.${quote(column)}::text = ${ofRecord})`];
  });
  return exists.length === 0 ? `'u'` : `case when case ${name} ${exists.join(' ')} else true end then 'u' else 'd' end`;
}
