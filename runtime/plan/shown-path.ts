/** The names under which a result shows a property that it was grouped by: a cast is no name of a value (JSON format 4.5.1). */
export function shownPath(name: string): readonly string[] {
  return name.includes('.') ? name.split('/').filter((segment) => !segment.includes('.')) : name.split('/');
}

/** The same with slashes between them. */
export function shownName(name: string): string {
  return shownPath(name).join('/');
}
