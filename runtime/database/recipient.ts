/** The consumer of a statement's results. */
export interface Recipient {
  readonly isGone: () => boolean;
  /** Calls the listener when the consumer disconnects; returns a function that removes the listener. */
  readonly onGone: (listener: () => void) => () => void;
}
