/** Functions that features provide to a layer of the core, by name: the core calls them and imports no feature. */
export interface Hooks<Functions extends object> {
  readonly register: (functions: Partial<Functions>) => void;
  /** A function by its name. Throws if its feature was not registered. */
  readonly get: <Name extends keyof Functions & string>(name: Name) => Functions[Name];
  /** A function that the core can do without; undefined if its feature was not registered. */
  readonly find: <Name extends keyof Functions & string>(name: Name) => Functions[Name] | undefined;
}

/** An empty table of hooks. */
export function createHooks<Functions extends object>(): Hooks<Functions> {
  const known: Partial<Functions> = {};
  return {
    register: (functions) => void Object.assign(known, functions),
    find: (name) => known[name],
    get: (name) => {
      const found = known[name];
      if (found === undefined) throw new Error(`No feature provides ${name}; call registerFeatures() first.`);
      return found as Functions[typeof name];
    },
  };
}
