import { etagOf } from './address.js';
import { mapped } from './connect.js';
import { printTyped } from './literal.js';
import type { OperationOf, OperationRow, OperationRows } from './model.js';
import type { RequestOptions } from './options.js';
import { foundIn, pagePlan, readPage } from './pages.js';
import { optionsText } from './print-query.js';
import { readRecord } from './records.js';
import { request } from './request.js';
import type { Received } from './receive.js';
import type { Connection } from './send.js';

/** Operations as methods. */
export type Operations<Bound> = {
  readonly [Name in keyof Bound]: Bound[Name] extends OperationOf<infer Parameters, infer Result> ? Operation<Parameters, Result> : never;
};

/** A call of an action or function. */
export type Operation<Parameters, Result> = object extends Parameters
  ? (parameters?: Parameters, options?: RequestOptions) => Promise<Result>
  : (parameters: Parameters, options?: RequestOptions) => Promise<Result>;

/** The methods of operations at addresses that begin with the prefix; actions on a record that was read send its ETag. */
export function operationMethods(connection: Connection, rows: OperationRows | undefined, prefix: string, record?: unknown): object {
  return mapped(rows, (_, row) => (parameters: object = {}, options?: RequestOptions) => {
    const call = row.isFunction
      ? { method: 'GET', address: prefix + functionCall(row, parameters) }
      : { method: 'POST', address: prefix + row.name, body: parameters, own: { 'if-match': etagOf(record) } };
    return request(connection, { ...options, ...call, read: (received) => readResult(connection, row, received, options) });
  });
}

// Values as parameter aliases, so that a value with a slash is no segment (URL Conventions 5.3).
function functionCall({ name, parameters: types = {} }: OperationRow, parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const call = given.map(([parameter]) => `${parameter}=@${parameter}`).join(',');
  const aliases = given.map(([parameter, value]) => `@${parameter}=${encodeURIComponent(printTyped(value, types[parameter] ?? 'JSON'))}`);
  return `${name}(${call})${optionsText(aliases)}`;
}

// A collection may have several pages.
async function readResult(connection: Connection, row: OperationRow, received: Received, options: RequestOptions = {}): Promise<unknown> {
  if (!received.body) return null;
  const { records, next } = readPage(received);
  if (!row.hasValue || (records as unknown) === undefined) return readRecord(received);
  return next ? [...records, ...(await foundIn(connection, pagePlan(next, options), options).all())] : records;
}
