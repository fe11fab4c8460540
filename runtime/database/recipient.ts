/** Whoever waits for what statements give, as far as the database needs to know them. */
export interface Recipient {
  readonly isGone: () => boolean;
  /** Calls the listener when they go; returns how to stop listening. */
  readonly onGone: (listener: () => void) => () => void;
}
