/** What stands in front of a member's own name, with the slash at its end; empty for one of the column's own value. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** A member's own name. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The member whose values a parent stands for: without the slash and a cast. */
export function memberPath(parent: string): string {
  const path = parent.replace(/\/$/, '');
  return nameIn(path).includes('.') ? memberPath(parentOf(path)) : path;
}
