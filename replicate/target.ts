import type { Changed } from './changed-records.js';
import type { CopiedSet } from './copied-set.js';
import type { Key } from './key.js';

/** How far the copy of a set is; it is stored with each page. */
export interface SetState {
  /** The root of the service: a copy of another one is no copy of this. Absent in copies of earlier versions. */
  readonly service?: string;
  /** The address of all records: another query starts over. */
  readonly query: string;
  /** A hash of the columns: with others all records are read again. Absent in copies of earlier versions. */
  readonly columns?: string;
  /** Counts the reads of all records. */
  readonly round: number;
  /** All records are being read; those that the round did not see are being removed; changes are followed. */
  readonly phase: 'reading' | 'sweeping' | 'following';
  /** The way to follow changes; while all records are read, the one that was asked for. */
  readonly way?: string | undefined;
  /** The page to read next. */
  readonly link?: string | undefined;
  /** Where each way begins: what it found before the first page was read. */
  readonly marks?: { readonly [way: string]: string | undefined } | undefined;
  /** The time of the last comparison of all keys. */
  readonly comparedAt?: string | undefined;
}

/** Where copies are written. */
export interface Target {
  /** Creates what is missing, and reads the states. */
  readonly open: (sets: readonly CopiedSet[]) => Promise<void>;
  readonly state: (set: CopiedSet) => SetState | undefined;
  /**
   * Writes a page and the state after it, both or neither, and returns the number of records that it removed; records
   * are marked with the round of the state.
   */
  readonly write: (set: CopiedSet, page: Changed, next: SetState) => Promise<number>;
  /** The keys of all records, or of those that no page has written since the round began. */
  readonly keys: (set: CopiedSet, before?: number) => Promise<readonly Key[]>;
  /** Called after each pass, and with `true` at the end. */
  readonly settle: (set: CopiedSet, isLast: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}
