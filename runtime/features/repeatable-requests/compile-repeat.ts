import { StatementBuilder } from '../../sql/builder.js';
import type { Statement } from '../../sql/statement.js';

/** The identity of a repeatable request: two callers may choose the same id. */
export interface RequestKey {
  readonly subject: string;
  readonly client: string;
  readonly id: string;
}

/** The stored answer to a request, with headers as JSON. */
interface StoredAnswer {
  readonly status: string;
  readonly headers: string;
  /** In hexadecimal, PostgreSQL's text form of bytes. */
  readonly body: string | null;
}

/** Reserves the id of a request; returns no row if it is reserved already. Waits for a concurrent reservation. */
export function compileTake({ subject, client, id }: RequestKey, fingerprint: string): Statement {
  const builder = new StatementBuilder();
  const values = [subject, client, id, fingerprint].map((value) => builder.bind(value, 'text'));
  return builder.reusableStatement(
    `insert into gable_request (subject, client, id, fingerprint) values (${values.join(', ')}) on conflict do nothing returning 1`,
  );
}

/** The fingerprint and the answer of the request that reserved an id. */
export function compileTaken(key: RequestKey): Statement {
  const builder = new StatementBuilder();
  return builder.reusableStatement(`select fingerprint, status, headers, body from gable_request where ${where(key, builder)}`);
}

/** Stores the answer of the request that reserved an id. */
export function compileAnswered(key: RequestKey, { status, headers, body }: StoredAnswer): Statement {
  const builder = new StatementBuilder();
  const sets = [
    `status = ${builder.bind(status, 'integer')}`,
    `headers = ${builder.bind(headers, 'text')}`,
    `body = ${builder.bind(body, 'bytea')}`,
  ];
  return builder.reusableStatement(`update gable_request set ${sets.join(', ')} where ${where(key, builder)}`);
}

/** Deletes a few expired answers; skips those that another request is deleting. */
export function compileForget(hours: number): Statement {
  const builder = new StatementBuilder();
  const old = `select ctid from gable_request where taken_at < now() - make_interval(hours => ${builder.bind(String(hours), 'integer')}) limit 100 for update skip locked`;
  return builder.reusableStatement(`delete from gable_request where ctid = any(array(${old}))`);
}

function where({ subject, client, id }: RequestKey, builder: StatementBuilder): string {
  return `subject = ${builder.bind(subject, 'text')} and client = ${builder.bind(client, 'text')} and id = ${builder.bind(id, 'text')}`;
}
