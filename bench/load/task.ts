import type { LoadRequest } from './http-connection.js';

/** The repeated requests of a round's clients. */
export type Plan =
  /** Each client takes the next request of the list. */
  | { readonly kind: 'list'; readonly requests: readonly LoadRequest[] }
  /** Each client follows the links from the first page to the last; `records` are in the whole walk. */
  | { readonly kind: 'walk'; readonly first: string; readonly pageSize: number; readonly records: number }
  /** Each client creates a listing, changes it and deletes it; `path` gives the record's address from its number. */
  | {
      readonly kind: 'cycle';
      readonly set: string;
      readonly record: readonly [before: string, after: string];
      readonly create: object;
      readonly changes: readonly object[];
    };

/** One round at one server. */
export interface Task {
  readonly port: number;
  /** Header lines, each with its line end. */
  readonly headers: string;
  readonly clients: number;
  readonly warmup: number;
  readonly seconds: number;
  readonly plan: Plan;
}

/** The result of a round. Times in milliseconds. */
export interface RoundResult {
  readonly requests: number;
  /** Records for a walk, else requests. */
  readonly units: number;
  readonly elapsed: number;
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
  /** The medians of page 2 and of a late page of a walk. */
  readonly pages?: { readonly second: number; readonly late: number; readonly latePage: number };
}

/** The messages of the load process. */
export type LoadMessage =
  | { readonly kind: 'measuring' }
  | { readonly kind: 'done'; readonly result: RoundResult }
  | { readonly kind: 'failed'; readonly reason: string };
