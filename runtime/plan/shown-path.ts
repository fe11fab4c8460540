/** The names under which a result shows a property that it was grouped by: a cast is no name of a value (JSON format 4.5.1). */
export function shownPath(name: string): readonly string[] {
  if (!name.includes('/')) return name.includes('.') ? [] : [name];
  return name.includes('.') ? name.split('/').filter((segment) => !segment.includes('.')) : name.split('/');
}

/** The same with slashes between them. */
export function shownName(name: string): string {
  return name.includes('.') ? shownPath(name).join('/') : name;
}

/** The position of an expansion: within the complex value that it belongs to. */
export function placeOf(name: string): { readonly name: string; readonly within?: string } {
  const end = name.lastIndexOf('/');
  const within = shownName(name.slice(0, Math.max(0, end)));
  return within === '' ? { name: name.slice(end + 1) } : { name: name.slice(end + 1), within };
}

/** The index of the first part of a property's last mention among a path's parts, whose casts may differ from those of the model's path to it. */
export function beginOf(path: string, parts: readonly { readonly name: string }[]): number {
  const names = shownPath(path);
  const places = [...parts.keys()].filter((at) => !parts[at]?.name.includes('.'));
  const last = places.findLastIndex((at) => parts[at]?.name === names.at(-1));
  return places[last - (names.length - 1)] ?? 0;
}

/** A path's names with slashes between them. */
export function nameOf(path: { readonly path: readonly { readonly name: string }[] } | undefined): string {
  return (path?.path ?? []).map(({ name }) => name).join('/');
}
