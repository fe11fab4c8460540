import { hash } from 'node:crypto';
import type { Connection } from '../client/send.js';
import type { Changed } from './changed-records.js';
import type { CopiedSet } from './copied-set.js';
import { recordsAddress } from './set-query.js';
import type { SetState, Target } from './target.js';

/** The options of all ways. */
export interface CopyOptions {
  /** The wanted size of pages. */
  readonly pageSize: number;
  /** The only way to use; by default the best that the service offers. */
  readonly way: string | undefined;
  /** Milliseconds before the last timestamp from which changes are read again. */
  readonly overlap: number;
  /** Milliseconds between two comparisons of all keys. */
  readonly compareEvery: number;
  readonly signal: AbortSignal;
}

/** The report about a set. */
export interface Report {
  /** Records of a first read, so far and in all, if the service counts them. */
  readonly read: (set: string, done: number, total: number | undefined) => void;
  readonly line: (text: string) => void;
}

/** One set on its way from a service to a target. */
export class SetCopy {
  readonly set: CopiedSet;
  readonly service: Connection;
  readonly options: CopyOptions;
  readonly report: Report;
  /** Pages that have been written. */
  pages = 0;
  /** Records that have been written and removed. */
  readonly counts = { written: 0, removed: 0 };
  /** Whether a former run ended within its reading of all records, which this one goes on with. */
  isResumed: boolean;
  readonly #target: Target;
  #state: SetState;

  constructor(set: CopiedSet, service: Connection, target: Target, { options, report }: { options: CopyOptions; report: Report }) {
    this.set = set;
    this.service = service;
    this.options = options;
    this.report = report;
    this.#target = target;
    const query = recordsAddress(set);
    const columns = columnsOf(set);
    const state = target.state(set);
    requireSource(set, state, service.root);
    const isSame = state?.query === query && (state.columns ?? columns) === columns && !isOtherWay(state, options.way);
    this.#state = isSame ? { ...state, columns } : this.#newRound(query, state?.round ?? 0);
    this.isResumed = this.#state.phase === 'sweeping' || (this.#state.phase === 'reading' && this.#state.link !== undefined);
  }

  get state(): SetState {
    return this.#state;
  }

  /** Writes a page with the state after it. */
  async save(page: Changed, next: Partial<SetState>): Promise<void> {
    this.#requireOrigin(next.link);
    const state = { ...this.#state, ...next };
    this.counts.removed += await this.#target.write(this.set, page, state);
    this.#state = state;
    this.pages += 1;
    this.counts.written += page.records.length;
  }

  /** Reads all records again; those that are copied stay until they are known to be gone. */
  startOver(): Promise<void> {
    const { query, round } = this.#state;
    this.isResumed = false;
    this.#state = this.#newRound(query, round);
    return this.save({ records: [], removed: [] }, {});
  }

  #newRound(query: string, round: number): SetState {
    return { service: this.service.root, query, columns: columnsOf(this.set), round: round + 1, phase: 'reading', way: this.options.way };
  }

  /** The keys of the copied records, or of those that this round has not seen. */
  keys(onlyUnseen = false): ReturnType<Target['keys']> {
    return this.#target.keys(this.set, onlyUnseen ? this.#state.round : undefined);
  }

  // The token goes only to the service, and to what the caller names.
  #requireOrigin(link: string | undefined): void {
    const { root, options } = this.service;
    if (link === undefined) return;
    const { origin } = new URL(link, root);
    if (origin !== new URL(root).origin && !options.origins?.includes(origin))
      throw new Error(`The service links to another origin; to send the token there as well, add --origin ${origin}`);
  }
}

// Records that do not change would have no values of a property that the model has gained.
function columnsOf({ columns }: CopiedSet): string {
  const texts = columns.map(({ name, type }) => `${name} ${type}`);
  return hash('sha256', texts.sort().join(), 'base64url').slice(0, 16);
}

// The marks and preferences of a read that goes on are those of the way that was asked for at its start.
function isOtherWay({ phase, way }: SetState, wanted: string | undefined): boolean {
  return way !== wanted && (phase === 'reading' || wanted !== undefined);
}

// Records of another service would be taken for deleted ones.
function requireSource({ name }: CopiedSet, state: SetState | undefined, root: string): void {
  if (state?.service !== undefined && state.service !== root)
    throw new Error(`The target has a copy of ${name} of ${state.service}; name another target.`);
}
