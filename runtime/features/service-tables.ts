import { clientTable } from '../identity/client-store.js';
import { limitTable } from './shared-limits/limit-table.js';
import { hookTable } from './webhooks/hook-row.js';

/** Answers to repeatable requests; the primary key admits one of several concurrent copies. */
export const requestTable = `CREATE TABLE IF NOT EXISTS gable_request (
  subject text NOT NULL,
  client text NOT NULL,
  id text NOT NULL,
  fingerprint text NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now(),
  status integer,
  headers text,
  body bytea,
  PRIMARY KEY (subject, client, id)
);
CREATE INDEX IF NOT EXISTS gable_request_taken_at ON gable_request (taken_at)`;

/** The tables of the service in addition to those of the model. */
export const serviceTables: readonly string[] = [clientTable, requestTable, hookTable, limitTable];
