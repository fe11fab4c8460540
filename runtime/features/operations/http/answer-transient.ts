import type { EntityContainer, EntityType, OperationValue, RecordType } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import type { Exchange } from '../../../http/service.js';
import { execute } from '../../../http/execute.js';
import { isObject, type Json, printJson, jsonObject } from '../../../json/json.js';
import { hierarchyColumns } from '../../../plan/hierarchy-members.js';
import type { Target } from '../../../plan/path/path-target.js';
import { recordTypeNamed } from '../../../plan/path/derivation.js';
import type { ODataResponse } from '../../../protocol/message.js';
import { searchWords } from '../../../schema/search-words.js';
import { quote } from '../../../schema/identifier.js';
import { columnReference, StatementBuilder, withTables } from '../../../sql/builder.js';
import { compileProperty } from '../../../sql/compile-path.js';
import type { Statement } from '../../../sql/statement.js';
import { mappedStore } from '../../../store/store.js';
import type { QueryOptions, SelectItem } from '../../../uri/query-options.js';
import { planField } from '../../../plan/value/plan-complex.js';
import { continueCall, recordsOf } from '../plan/find-call.js';
import type { CalledOperation } from '../plan/plan-call.js';
import { jsonOf, recordValueType, type RecordValueType } from '../plan/handler-value.js';
import { type JoinPair, type TransientColumn, transientSource, type TransientSource } from '../plan/transient-source.js';
import { transientTable } from '../plan/transient-type.js';
import { asReading, contextOf, readAnswer } from './inner-request.js';

/** Records that a handler made and that are in no set: the database gets them as one more table, so that they are read like any others. */
export async function answerTransient(
  { call: { operation }, target: { part, rest } }: CalledOperation,
  result: OperationValue,
  answer: { readonly value?: object; readonly values?: readonly object[] },
  exchange: Exchange,
): Promise<ODataResponse> {
  const { type: name, collection } = result;
  const declared = recordTypeNamed(exchange.service.container, name);
  const values = collection ? answer.values : answer.value && [answer.value];
  if (declared === undefined || values === undefined)
    throw new Error(`The handler ${operation.handler} returned neither records of a set nor ${collection ? '{ values }' : '{ value }'}.`);
  const place = transientSource(exchange.service.container, declared);
  const records = values.map((one, index) => planRecord(one, `answer[${index}]`, declared, operation.handler, exchange.service.container));
  const reading = readTransient(exchange, place, records);
  const whole = recordsOf(place.type, result, reading.context);
  const isEnd = rest.length === 0 && part.resultKey === undefined;
  const target = isEnd ? whole : continueCall(whole, { part, rest }, contextOf(reading));
  if ('suffix' in target && target.type.transient && target.suffix === '$ref')
    throw errors
      .notImplemented(`/$ref after transient records of ${operation.name}`, 'They belong to no set, and have no addresses.')
      .at('$ref');
  const showing = showingGiven(target, records, reading);
  return isEnd ? readAnswer(target, showing, operation.kind === 'Action') : execute(target, showing);
}

/** The exchange for a handler's transient entities, which every statement finds in a table expression. */
export function readTransient(
  exchange: Exchange,
  place: Pick<TransientSource, 'container' | 'columns' | 'stored'>,
  values: readonly Json[],
): Exchange {
  const { service, context, ...reading } = asReading(exchange);
  const { container } = place;
  const json = printJson({ kind: 'array', items: values });
  const store = mappedStore(service.store, (statement) => compileWithTransient(statement, place, json));
  return { ...reading, service: { ...service, container, store }, context: { ...context, container } };
}

// Properties that the handler omitted from all entities are not selected, and the context URL says so.
function showingGiven(target: Target, records: readonly Json[], exchange: Exchange): Exchange {
  const { options, service } = exchange;
  if (!('type' in target) || !target.type.transient || target.kind === 'property' || options.select || options.apply) return exchange;
  const given = new Set(records.flatMap((record) => (record !== null && isObject(record) ? [...record.members.keys()] : [])));
  const select = records.length === 0 ? undefined : transientSelection(target.type, given, options, service.container);
  return select === undefined ? exchange : { ...exchange, options: { ...options, select } };
}

// Checked like a body; of a derived type, if the handler names it.
function planRecord(value: object, path: string, declared: RecordType, handler: string, container: EntityContainer): Json {
  const json = jsonOf(value);
  const sent = isObject(json) ? json : jsonObject();
  const named = recordValueType(path, declared, sent, container);
  const { type } = 'fault' in named || named.type.abstract ? wrongType(declared, handler, named) : named;
  const context = { container, format: { ieee754Compatible: true }, partial: false };
  const planned = Object.entries(type.fields).flatMap(([name, field]) =>
    sent.members.has(name) ? [{ name, ...planField(`${path}/${name}`, field, sent.members.get(name) ?? null, context) }] : [],
  );
  const faults = planned.flatMap((one) => one.faults.map(({ message }) => message));
  if (faults.length > 0) throw new Error(`The handler ${handler} returned an invalid ${type.name}: ${faults.join(' ')}`);
  return jsonObject([['#type', type.qualifiedName], ...planned.map(({ name, json: kept }) => [name, kept] as const)]);
}

function wrongType({ name }: RecordType, handler: string, named: RecordValueType): never {
  throw new Error(
    `The handler ${handler} returned an invalid ${name}: ${'fault' in named ? named.fault.message : `it is abstract, and "@odata.type" must specify the type of the record.`}`,
  );
}

/** The default selection of transient entities: properties that a handler gave any of them, and computed values; undefined for all. */
function transientSelection(
  type: EntityType,
  given: ReadonlySet<string>,
  { compute = [] }: QueryOptions,
  container: EntityContainer,
): readonly SelectItem[] | undefined {
  const columns = hierarchyColumns(type, container);
  if (columns.every(({ name, owner }) => owner !== undefined || given.has(name))) return undefined;
  const shown = columns.filter(({ name }) => given.has(name));
  const paths = [...shown.map(({ name, owner }) => (owner === undefined ? [name] : [owner, name])), ...compute.map(({ alias }) => [alias])];
  return paths.map((names) => ({ kind: 'member', at: 0, path: names.map((name) => ({ name, at: 0 })) }));
}

/** Adds transient entities to a statement as a table expression over their JSON, within the row filters of their references. */
function compileWithTransient(statement: Statement, place: Pick<TransientSource, 'columns' | 'stored'>, json: string): Statement {
  if (!statement.text.includes(quote(transientTable))) return statement;
  const builder = new StatementBuilder(statement.bind);
  const columns = [
    'item.place as "#place"',
    ...place.columns.map((column) => `${compileColumn(column, builder)} as ${quote(column.column)}`),
  ];
  const items = `jsonb_array_elements(${builder.bind(json, 'jsonb')}) with ordinality as item(value, place)`;
  const rows = `select ${columns.join(', ')} from ${items}${place.stored ? ` left join ${quote(place.stored.table)} stored on ${compileMeeting('stored', place.stored.on, builder)}` : ''}`;
  return {
    ...statement,
    text: withTables([`${quote(transientTable)} as materialized (${rows})`], statement.text),
    bind: builder.binds,
  };
}

function compileColumn(column: TransientColumn, builder: StatementBuilder): string {
  switch (column.kind) {
    case 'value':
      return compileProperty(column.value, builder);
    case 'words':
      return searchWords(column.texts.map(({ value, ...text }) => ({ ...text, sql: compileProperty(value, builder) })));
    case 'stored':
      return columnReference('stored', column.column);
    case 'related':
      // Without a unique constraint several rows may match: the first one counts, as in back-references to one.
      return `(select related."#id" from ${quote(column.table)} related where ${compileMeeting('related', column.on, builder)} order by related."#id" limit 1)`;
  }
}

function compileMeeting(alias: string, on: readonly JoinPair[], builder: StatementBuilder): string {
  return on.map(([column, value]) => `${columnReference(alias, column)} = ${compileProperty(value, builder)}`).join(' and ');
}
