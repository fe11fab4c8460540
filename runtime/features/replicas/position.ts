/** A place in the write-ahead log: a number of bytes since the log's beginning. */
export type LogPosition = bigint;

/** A position with the timeline that it lies on; each failover begins a new one. */
export interface Position {
  readonly timeline: string;
  readonly at: LogPosition;
}

/** Reads a position from PostgreSQL's form, two hexadecimal numbers: `0/16B3748`. */
export function parseLogPosition(text: string): LogPosition {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Reads the header `Gable-Position`, `00000001-00000000016B3748`; undefined for any other text. Later positions are greater texts. */
export function parsePosition(header: string): Position | undefined {
  const [, timeline, at] = /^([0-9A-F]{8})-([0-9A-F]{16})$/.exec(header) ?? [];
  return timeline === undefined || at === undefined ? undefined : { timeline, at: BigInt(`0x${at}`) };
}
