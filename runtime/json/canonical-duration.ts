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
export function printDuration({ isNegative, days, time }: Duration): string {
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
