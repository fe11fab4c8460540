import type { RecordTarget } from './path-target.js';

/** Whether a path leads to what an item of a collection contains, or what such a record contains in turn: its address holds as long as the item has its place, so that it has no id. */
export function isBeneathItem({
  type,
  parents = [],
  address = [],
}: Pick<RecordTarget, 'type'> & Partial<Pick<RecordTarget, 'parents' | 'address'>>): boolean {
  if (type.inItem) return true;
  if (type.contained === undefined) return false;
  const [parent, ...others] = parents;
  if (parent) return parent.contains === true && isBeneathItem({ type: parent.type, parents: others });
  // Of a record that was written nothing but its number and the address is left.
  const outer = address.findLastIndex((part) => part.type.contained === undefined);
  return address.slice(outer + 1).some((part) => part.type.inItem);
}
