import type { Member, Reached } from './reach.js';

/** One proposal; `insert` is written where it differs from the label, and `more` opens the next list. */
export interface Item {
  readonly label: string;
  readonly kind: 'property' | 'navigation' | 'function' | 'operator' | 'value' | 'option' | 'set' | 'keyword';
  readonly detail?: string;
  readonly insert?: string;
  readonly more?: true;
}

/** The proposals for the text from `from` to the cursor, the likeliest first. */
export interface Completion {
  readonly from: number;
  readonly items: readonly Item[];
  /** The name of the list whose values the service has as records. */
  readonly lookup?: string;
}

/** The proposals of a place, before they are matched with what is written. */
export type Proposals = Omit<Completion, 'from'>;

/** Whether a path leads to records of an entity type. */
export function isNavigation(reached: Reached): boolean {
  return reached.kind === 'record' && 'key' in reached.type;
}

/** A member of a type as a proposal. */
export function memberItem({ name, reached, detail }: Member): Item {
  return { label: name, kind: isNavigation(reached) ? 'navigation' : 'property', detail };
}

/** A word of the language as a proposal. */
export function keyword(label: string): Item {
  return { label, kind: 'keyword' };
}

/** A literal as a proposal. */
export function value(label: string): Item {
  return { label, kind: 'value' };
}

/** The options of a query, and what each says. */
export const optionItems: readonly Item[] = [
  ['$filter', 'which records'],
  ['$select', 'which properties'],
  ['$orderby', 'in which order'],
  ['$expand', 'with which related records'],
  ['$top', 'how many'],
  ['$skip', 'how many to skip'],
  ['$count', 'with their number'],
  ['$search', 'with which words'],
  ['$compute', 'computed properties'],
  ['$apply', 'groups and sums'],
].map(([label = '', detail = '']) => ({ label, kind: 'option', detail, insert: `${label}=`, more: true }));
