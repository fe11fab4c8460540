import { primitives, type Field } from '../../runtime/edm/index.js';

/** Whether PostgreSQL compares the two types in a foreign key: equal types, or whole numbers of any width. */
export function areComparable(one: Field, other: Field): boolean {
  return one.type === other.type || (isWholeNumber(one) && isWholeNumber(other));
}

function isWholeNumber({ type, enumeration }: Field): boolean {
  return primitives[type].range !== undefined && enumeration === undefined;
}
