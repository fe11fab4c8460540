/**
 * A cache of a function of a text, for headers and query options that recur. Two generations evict what was used once;
 * long texts are not cached.
 */
export function remembered<Made>(
  make: (text: string) => Made,
  { most = 200, longest = 1024 }: { readonly most?: number; readonly longest?: number } = {},
): (text: string) => Made {
  let young = new Map<string, Made>();
  let old = new Map<string, Made>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const made = old.get(text) ?? make(text);
    if (text.length > longest) return made;
    if (young.size >= most) [young, old] = [new Map(), young];
    young.set(text, made);
    return made;
  };
}
