/** A transition of a state property, with its requirements and effects. */
export interface Transition<State extends string = string> {
  readonly to: State;
  /** Properties that require a value, in the body or the stored entity. */
  readonly requires?: readonly string[];
  readonly sets?: { readonly [property: string]: string };
  readonly message?: string;
}

/** The transitions of a state property, by their initial state. */
export interface TransitionTable<State extends string = string> {
  readonly property: string;
  readonly initial: State;
  readonly moves: { readonly [From in State]: readonly Transition<State>[] };
}
