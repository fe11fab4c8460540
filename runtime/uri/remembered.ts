/** A cache of a function of recurring texts, such as headers. Two generations evict what was used once; long texts are not cached. */
export function remembered<Value>(
  make: (text: string) => Value,
  { most = 200, longest = 1024 }: { readonly most?: number; readonly longest?: number } = {},
): (text: string) => Value {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const value = old.get(text) ?? make(text);
    if (text.length > longest) return value;
    if (young.size >= most) [young, old] = [new Map(), young];
    young.set(text, value);
    return value;
  };
}
