import { printDuration } from '../json/canonical-duration.js';

/**
 * Converts an interval of PostgreSQL to the standard's duration: one sign, before the P, and no years or months (ABNF
 * rule durationValue). PostgreSQL has a sign for each part; `P1DT-2H` is 22 hours.
 */
export function durationText(interval: string): string {
  const isSigned = interval.includes('-');
  if (isSigned ? mixed.test(interval) : !withMonths.test(interval)) return isSigned ? ofTotal(interval) : interval;
  return withMonths.test(interval) ? ofTotal(interval) : `-${interval.replaceAll('-', '')}`;
}

// A part without a sign follows a letter.
const mixed = /[A-Z]\d/;
const withMonths = /^P[^T]*[YM]/;
const parts = /^P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?)?$/;

// PostgreSQL's conversion to seconds: a month has 30 days, a year 365 and a quarter.
function ofTotal(interval: string): string {
  const [, years = '0', months = '0', days = '0', hours = '0', minutes = '0', sign = '', seconds = '0', fraction = ''] =
    parts.exec(interval) ?? [];
  const micros = BigInt(`${sign}${seconds}${fraction.padEnd(6, '0').slice(0, 6)}`);
  const total =
    ((BigInt(years) * 1461n * 6n + BigInt(months) * 720n + BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n * 1_000_000n +
    micros;
  return printDuration({ isNegative: total < 0n, days: 0n, time: total < 0n ? -total : total });
}
