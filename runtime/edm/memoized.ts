/** The function with each result kept for its first argument, which determines the result. */
export function memoized<Key extends object, Rest extends readonly unknown[], Value>(
  compute: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key, ...rest) => {
    const kept = known.get(key);
    if (kept !== undefined) return kept.value;
    const value = compute(key, ...rest);
    known.set(key, { value });
    return value;
  };
}
