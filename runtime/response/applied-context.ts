import type { Selection } from '../plan/read-plan.js';
import { appliedNames } from './applied-names.js';
import { collectionPath, contextOf, expandedNames } from './context-url.js';

/**
 * The context URL of a result of `$apply` (Data Aggregation 3.1.1):
 * `$metadata#Property(ListAgent(MemberLastName),Total)`.
 */
export function appliedContextUrl(root: string, selection: Selection, selected: boolean): string {
  const items = [...appliedNames(selection, selected), ...expandedNames(selection)];
  return contextOf(root, `${collectionPath(selection)}${items.length === 0 ? '' : `(${items.join(',')})`}`);
}
