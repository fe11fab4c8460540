import type { StoredRecord } from '../edm/index.js';

type Value = NonNullable<ReturnType<StoredRecord['get']>> | null;

/** An entity whose values are read on demand: rules use a few of a hundred properties. */
export class LazyRecord implements StoredRecord {
  readonly names: ReadonlySet<string>;
  readonly #read: (name: string) => Value;

  /** `read` is called with these names only. */
  constructor(names: ReadonlySet<string>, read: (name: string) => Value) {
    this.names = names;
    this.#read = read;
  }

  get size(): number {
    return this.names.size;
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  get(name: string): Value | undefined {
    return this.names.has(name) ? this.#read(name) : undefined;
  }

  forEach(take: (value: Value, name: string, record: StoredRecord) => void): void {
    for (const [name, value] of this) take(value, name, this);
  }

  keys(): MapIterator<string> {
    return this.names.values();
  }

  values(): MapIterator<Value> {
    return [...this.names].map((name) => this.#read(name)).values();
  }

  entries(): MapIterator<[string, Value]> {
    return [...this.names].map((name): [string, Value] => [name, this.#read(name)]).values();
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }
}
