/** What a plan has taken from a literal's text, beyond handing it to the database. */
interface Observation {
  readonly look: (text: string) => unknown;
  readonly seen: unknown;
}

/**
 * The place of a literal in a request. Another request of the same shape has another literal there, and the plan that
 * was made for this one serves it too, unless somebody looked at the text: what was seen must then be the same.
 */
export class Slot {
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

  /** What `look` makes of the text; the plan holds for texts of which it makes the same. The result is compared by identity. */
  observe<Seen extends string | number | boolean | undefined>(look: (text: string) => Seen): Seen {
    // From now on the plan serves others, to whom this text would be a stranger's.
    if (this.#sealed) throw new Error('A literal was looked at after its plan had been kept.');
    const seen = look(this.#text);
    this.#observations.push({ look, seen });
    return seen;
  }

  /** The value for the database, which takes any; whoever else asks must observe. */
  bound<Bound>(form: (text: string) => Bound): Bound {
    return form(this.#text);
  }

  /** Ends observing: the plan is kept. */
  seal(): void {
    this.#sealed = true;
  }

  /** Whether a plan made with this text is the plan for another one. */
  admits(text: string): boolean {
    return this.#observations.every(({ look, seen }) => look(text) === seen);
  }
}

/** Where a node's text comes from: a slot, and what is made of its text. */
interface SlottedText {
  readonly slot: Slot;
  readonly form: (text: string) => string;
}

const slotted = new WeakMap<object, SlottedText>();

/**
 * A node whose text stands in a slot: reading the member observes it, so that nobody decides by it unseen. A copy of the
 * node has the text only, as observed.
 */
export function inSlot<Name extends string, Node extends { readonly [Key in Name]: string | null }>(
  node: Node,
  name: Name,
  from: SlottedText,
): Node {
  Object.defineProperty(node, name, { enumerable: true, get: () => from.slot.observe(from.form) });
  slotted.set(node, from);
  return node;
}

/** The slot behind a node's text, if there is one. */
export function slotOf(node: object): SlottedText | undefined {
  return slotted.get(node);
}

/** What `look` makes of a node's text, observed where the node stands in a slot. */
export function observed<Name extends string, Seen extends string | number | boolean | undefined>(
  node: { readonly [Key in Name]: string },
  name: Name,
  look: (text: string) => Seen,
): Seen {
  const from = slotOf(node);
  return from === undefined ? look(node[name]) : from.slot.observe((text) => look(from.form(text)));
}
