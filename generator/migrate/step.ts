/** The phases of a migration: old and new service both work after the first, and only the new one after the last. */
export const phases = ['expand', 'backfill', 'contract'] as const;
/** When a step is run, beside the deployment of the new service. */
export type Phase = (typeof phases)[number];

/** How a step is run: with others in one transaction, in many small ones over the rows of a table, or outside of any. */
export type Manner = { readonly kind: 'transaction' } | { readonly kind: 'batches'; readonly table: string } | { readonly kind: 'alone' };

/** A part of a migration that is done or not done. */
export interface Step {
  readonly phase: Phase;
  readonly manner: Manner;
  /** Statements, each on one line. */
  readonly statements: readonly string[];
  /** What waits for it, or for what it waits: the locks, and whether a table is written anew. */
  readonly costs: readonly string[];
}

/** Something that a migration must not do unasked, or a decision that means nothing. */
export interface Problem {
  readonly kind: 'rename' | 'lossy' | 'fill' | 'unknown';
  readonly table: string;
  readonly column: string | undefined;
  /** What may be its new name, for a rename. */
  readonly candidate: string | undefined;
  readonly message: string;
}

/** What somebody decided about problems; names are `Table` or `Table/Column`. */
export interface Decisions {
  readonly allowLossy: boolean;
  readonly renamed: ReadonlyMap<string, string>;
  readonly dropped: ReadonlySet<string>;
  /** What old rows have in a column that is never null, as a literal. */
  readonly fills: ReadonlyMap<string, string>;
}

/** Nothing is decided. */
export const noDecisions: Decisions = { allowLossy: false, renamed: new Map(), dropped: new Set(), fills: new Map() };
