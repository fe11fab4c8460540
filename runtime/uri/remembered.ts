/**
 * Makes something once for each text that comes again and again: headers, options of a query. In two generations, so that
 * what came once is forgotten; what is long is made anew each time.
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
