import { primitives, type Field } from '../../runtime/edm/index.js';

/** Whether PostgreSQL compares values of the two: those of one type, and whole numbers of any width, which it holds foreign keys between. */
export function areComparable(one: Field, other: Field): boolean {
  return one.type === other.type || (isWholeNumber(one) && isWholeNumber(other));
}

function isWholeNumber({ type, enumeration }: Field): boolean {
  return primitives[type].range !== undefined && enumeration === undefined;
}
