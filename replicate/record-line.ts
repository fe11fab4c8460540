import { isNumeric } from '../runtime/edm/index.js';
import type { CopiedColumn } from './copied-set.js';
import type { ServiceRecord } from './key.js';

/** A record as a line of JSON with the columns. Decimals and 64-bit numbers are numbers up to 15 digits, and strings beyond. */
export function recordLine(columns: readonly CopiedColumn[], record: ServiceRecord): string {
  const members = columns.map((column) => `${JSON.stringify(column.name)}:${memberText(column, record[column.name] ?? null)}`);
  return `{${members.join(',')}}\n`;
}

// INF and NaN are none.
const shortNumber = /^-?(?=[\d.]{1,16}$)(0|[1-9]\d*)(\.\d+)?$/;

function memberText({ type }: CopiedColumn, value: unknown): string {
  if (typeof value === 'string' && isNumeric(type) && shortNumber.test(value)) return value;
  return JSON.stringify(value);
}
