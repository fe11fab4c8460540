import type { Temporal } from './values.js';

const second = 1_000_000n;
const day = 86_400n * second;

/** The parts of a point in time, a day or a time of day, in UTC. */
export interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly micros: bigint;
}

/** The parts that a clock and a calendar show. */
export function partsOf({ micros }: Temporal): Parts {
  const date = new Date(Number(floorDivide(micros, 1000n)));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    micros: micros - floorDivide(micros, second) * second,
  };
}

/** The day of a point in time. */
export function dateOf({ micros }: Temporal): Temporal {
  return { kind: 'date', micros: floorDivide(micros, day) * day };
}

/** The time of day of a point in time. */
export function timeOf({ micros }: Temporal): Temporal {
  return { kind: 'time', micros: micros - floorDivide(micros, day) * day };
}

/** Reads `2024-01-31`, `12:30:00.5`, `2024-01-31T12:30:00Z`. */
export function temporalOf(kind: 'date' | 'time' | 'timestamp', text: string): Temporal {
  const [, date = '1970-01-01', time = '00:00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d:\d\d)?(?:\.(\d+))?Z?$/.exec(text) ?? [];
  return { kind, micros: BigInt(Date.parse(`${date}T${time}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0')) };
}

/** The literal of a value in a URL; a duration is written in seconds. */
export function temporalText(value: Temporal): string {
  if (value.kind === 'duration') return durationText(value.micros);
  const iso = new Date(Number(floorDivide(value.micros, second)) * 1000).toISOString();
  const [date = '', time = ''] = [iso.slice(0, -14), iso.slice(-13, -5)];
  const fraction = String(partsOf(value).micros).padStart(6, '0').replace(/0+$/, '');
  const clock = fraction === '' ? time : `${time}.${fraction}`;
  if (value.kind === 'date') return date;
  return value.kind === 'time' ? clock : `${date}T${clock}Z`;
}

function durationText(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const fraction = String(size % second)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const seconds = `${size / second}${fraction === '' ? '' : `.${fraction}`}`;
  return `duration'${micros < 0n ? '-' : ''}PT${seconds}S'`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
