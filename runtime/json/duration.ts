const parts = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/;

interface Duration {
  readonly isNegative: boolean;
  readonly days: bigint;
  /** Hours, minutes and seconds, in microseconds. */
  readonly time: bigint;
}

/** A checked duration in the database's form: `PT94S` becomes `PT1M34S`; days and hours stay separate. */
export function canonicalDuration(text: string): string {
  return printDuration(parse(text));
}

/** The microseconds of a checked duration. */
export function durationMicros(text: string): bigint {
  const { isNegative, days, time } = parse(text);
  const size = days * 86_400_000_000n + time;
  return isNegative ? -size : size;
}

/** A duration in the standard's form (ABNF rule durationValue). */
function printDuration({ isNegative, days, time }: Duration): string {
  const [hours, minutes, micros] = [time / 3_600_000_000n, (time / 60_000_000n) % 60n, time % 60_000_000n];
  const seconds = `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`.replace(/\.?0+$/, '');
  const shown = `${hours > 0n ? `${hours}H` : ''}${minutes > 0n ? `${minutes}M` : ''}${micros > 0n ? `${seconds}S` : ''}`;
  if (days === 0n && shown === '') return 'PT0S';
  return `${isNegative ? '-' : ''}P${days > 0n ? `${days}D` : ''}${shown === '' ? '' : `T${shown}`}`;
}

// Digits beyond microseconds are rounded, as in database columns.
function parse(text: string): Duration {
  const [, sign = '', days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = parts.exec(text) ?? [];
  const whole = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  return {
    isNegative: sign === '-',
    days: BigInt(days),
    time: whole * 1_000_000n + (BigInt(fraction.padEnd(12, '0')) + 500_000n) / 1_000_000n,
  };
}

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
const intervalParts = /^P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?)?$/;

// PostgreSQL's conversion to seconds: a month has 30 days, a year 365 and a quarter.
function ofTotal(interval: string): string {
  const [, years = '0', months = '0', days = '0', hours = '0', minutes = '0', sign = '', seconds = '0', fraction = ''] =
    intervalParts.exec(interval) ?? [];
  const micros = BigInt(`${sign}${seconds}${fraction.padEnd(6, '0').slice(0, 6)}`);
  const total =
    ((BigInt(years) * 1461n * 6n + BigInt(months) * 720n + BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n * 1_000_000n +
    micros;
  return printDuration({ isNegative: total < 0n, days: 0n, time: total < 0n ? -total : total });
}
