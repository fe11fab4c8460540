/** One move of a state property, and what it needs and sets. */
export interface Transition<State extends string = string> {
  readonly to: State;
  /** Properties that the body or the stored record must have a value for. */
  readonly requires?: readonly string[];
  readonly sets?: { readonly [property: string]: string };
  readonly message?: string;
}

/** The moves of a state property, keyed by the state they leave. */
export interface TransitionTable<State extends string = string> {
  readonly property: string;
  readonly initial: State;
  readonly moves: { readonly [From in State]: readonly Transition<State>[] };
}
