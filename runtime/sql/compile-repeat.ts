import { StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** Whose request it is, and which one: two callers may choose the same id. */
export interface RequestKey {
  readonly subject: string;
  readonly client: string;
  readonly id: string;
}

/** What a request was answered with, headers as JSON. */
interface StoredAnswer {
  readonly status: string;
  readonly headers: string;
  /** In hexadecimal, PostgreSQL's form of bytes. */
  readonly body: string | null;
}

/** Takes an id for a request; no row comes back when it is taken. Another transaction that is taking it is waited for. */
export function compileTake({ subject, client, id }: RequestKey, fingerprint: string): Statement {
  const builder = new StatementBuilder();
  const values = [subject, client, id, fingerprint].map((value) => builder.bind(value, 'text'));
  return builder.reusableStatement(
    `insert into gable_request (subject, client, id, fingerprint) values (${values.join(', ')}) on conflict do nothing returning 1`,
  );
}

/** The fingerprint of the request that took an id, and its answer. */
export function compileTaken(key: RequestKey): Statement {
  const builder = new StatementBuilder();
  return builder.reusableStatement(`select fingerprint, status, headers, body from gable_request where ${where(key, builder)}`);
}

/** Keeps the answer to the request that took an id. */
export function compileAnswered(key: RequestKey, { status, headers, body }: StoredAnswer): Statement {
  const builder = new StatementBuilder();
  const sets = [
    `status = ${builder.bind(status, 'integer')}`,
    `headers = ${builder.bind(headers, 'text')}`,
    `body = ${builder.bind(body, 'bytea')}`,
  ];
  return builder.reusableStatement(`update gable_request set ${sets.join(', ')} where ${where(key, builder)}`);
}

/** Forgets a few of the answers that no client may ask for any more; those that another request is forgetting are left to it. */
export function compileForget(hours: number): Statement {
  const builder = new StatementBuilder();
  const old = `select ctid from gable_request where taken_at < now() - make_interval(hours => ${builder.bind(String(hours), 'integer')}) limit 100 for update skip locked`;
  return builder.reusableStatement(`delete from gable_request where ctid = any(array(${old}))`);
}

function where({ subject, client, id }: RequestKey, builder: StatementBuilder): string {
  return `subject = ${builder.bind(subject, 'text')} and client = ${builder.bind(client, 'text')} and id = ${builder.bind(id, 'text')}`;
}
