import { clientTable } from '../identity/client-store.js';
import { requestTable } from './repeatable-requests/request-table.js';
import { limitTable } from './shared-limits/limit-table.js';
import { hookTable } from './webhooks/hook-table.js';

/** The tables of the service in addition to those of the model. */
export const serviceTables: readonly string[] = [clientTable, requestTable, hookTable, limitTable];
