import { lastName } from '../../runtime/edm/lookup.js';
/** The parent path, with a slash at its end; empty for a member of the column's own value. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The member at a parent path: without the slash and a cast. */
export function memberPath(parent: string): string {
  const path = parent.replace(/\/$/, '');
  return lastName(path).includes('.') ? memberPath(parentOf(path)) : path;
}
