/** A fact that a plan has derived from a literal's text. */
interface Observation {
  readonly look: (text: string) => unknown;
  readonly seen: unknown;
}

/**
 * A parameter of a kept plan: a literal of the request. Other requests of the same shape use the same plan with their
 * literals, unless the plan depends on the text; then the observed facts must be equal.
 */
export class PlanParameter {
  readonly #text: string;
  readonly #observations: Observation[] = [];
  #sealed = false;

  /** `index` counts the literals of a request; `text` is canonical, as the lexer gives it. */
  constructor(
    readonly index: number,
    text: string,
  ) {
    this.#text = text;
  }

  /** The result of `look` for the text; the plan holds for texts with the same result. Results are compared by identity. */
  observe<Seen extends string | number | boolean | undefined>(look: (text: string) => Seen): Seen {
    // A sealed plan serves other requests, whose literals differ.
    if (this.#sealed) throw new Error('A literal was looked at after its plan had been kept.');
    const seen = look(this.#text);
    this.#observations.push({ look, seen });
    return seen;
  }

  /** The value that is bound in the statement, which depends on no observation. */
  bound<Bound>(form: (text: string) => Bound): Bound {
    return form(this.#text);
  }

  /** Ends observing: the plan is kept. */
  seal(): void {
    this.#sealed = true;
  }

  /** Whether a plan for this text also serves another text. */
  admits(text: string): boolean {
    return this.#observations.every(({ look, seen }) => look(text) === seen);
  }
}

/** The parameter of a node's text, and the form in which it is bound. */
export interface ParameterText {
  readonly parameter: PlanParameter;
  readonly form: (text: string) => string;
}

const parameterTexts = new WeakMap<object, ParameterText>();

/**
 * A node whose text is a parameter: reading the member observes it, so that no decision escapes notice. A copy of the
 * node has only the observed text.
 */
export function withParameter<Name extends string, Node extends { readonly [Key in Name]: string | null }>(
  node: Node,
  name: Name,
  from: ParameterText,
): Node {
  Object.defineProperty(node, name, { enumerable: true, get: () => from.parameter.observe(from.form) });
  parameterTexts.set(node, from);
  return node;
}

/** The parameter of a node's text, if it has one. */
export function parameterOf(node: object): ParameterText | undefined {
  return parameterTexts.get(node);
}

/** The result of `look` for a node's text, observed where the text is a parameter. */
export function observed<Name extends string, Seen extends string | number | boolean | undefined>(
  node: { readonly [Key in Name]: string | null },
  name: Name,
  look: (text: string) => Seen,
): Seen {
  const from = parameterOf(node);
  return from === undefined ? look(node[name] ?? '') : from.parameter.observe((text) => look(from.form(text)));
}

/** The form of a parameter whose text needs no conversion. */
export const asIs = (text: string): string => text;
