import { isNumeric } from '../runtime/edm/index.js';
import type { CopiedColumn } from './copied-set.js';
import type { ServiceRecord } from './key.js';

/**
 * Prints records as lines of JSON with the columns. Decimals and 64-bit numbers are numbers up to 15 digits, and strings
 * beyond.
 */
export function recordLines(columns: readonly CopiedColumn[]): (record: ServiceRecord) => string {
  const members = columns.map(({ name, type }, index) => ({
    name,
    before: `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
    isNumber: isNumeric(type),
  }));
  return (record) => {
    let line = '{';
    for (const { name, before, isNumber } of members) line += before + memberText(record[name] ?? null, isNumber);
    return `${line}}\n`;
  };
}

// INF and NaN are none.
const shortNumber = /^-?(?=[\d.]{1,16}$)(?!\d{16})(0|[1-9]\d*)(\.\d+)?$/;

function memberText(value: unknown, isNumber: boolean): string {
  return isNumber && typeof value === 'string' && shortNumber.test(value) ? value : JSON.stringify(value);
}
