import type { Element } from './element.js';
import type { RuleId } from './rules.js';

/** An element of the old model and its counterpart in the new one. */
export interface Pair {
  readonly before: Element;
  readonly after: Element;
  /** The rule that matches them, if their paths differ in more than the parents. */
  readonly rule: RuleId | undefined;
}
