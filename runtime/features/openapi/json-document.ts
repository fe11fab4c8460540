/** A JSON object of an OpenAPI or CSDL document. */
export type Json = { readonly [member: string]: unknown };

/** The members of an object, each converted. */
export function mapValues<Value>(table: { readonly [name: string]: Value }, convert: (value: Value) => unknown): Json {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, convert(value)]));
}

/** The named components that a document refers to; each is built once, when it is first referred to. */
export interface Components {
  /** A reference to the component with the id; its name is the wanted one, unless another has it. */
  readonly refer: (id: string, wanted: string, build: () => Json) => Json;
  readonly all: () => Json;
}

/** Collects components at a JSON pointer such as `#/components/schemas/`. */
export function collectComponents(pointer: string): Components {
  const names = new Map<string, string>();
  const distinct = distinctNames();
  const built: { [name: string]: Json } = {};
  return {
    refer: (id, wanted, build) => {
      const known = names.get(id);
      // Component names have ASCII letters, digits, dots, hyphens and underscores only (OpenAPI 3.1, 4.8.7.1).
      const name = known ?? distinct(wanted.replace(/[^\w.-]/g, '_'));
      if (known === undefined) {
        // Named before it is built, because it may refer to itself.
        names.set(id, name);
        built[name] = {};
        built[name] = build();
      }
      return { $ref: `${pointer}${name}` };
    },
    all: () => built,
  };
}

/** A function that gives every name once: later ones get a number. */
export function distinctNames(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
    taken.add(name);
    return name;
  };
}
