// Generated types declare navigation properties as optional, and structural ones as required. Annotations of streams are
// optional too. Each type is walked through once: the other names are computed from the few optional ones.

/** Every name: of an open type too, whose index signature would hide them. */
type Declared<T> = string extends keyof T ? keyof { [K in keyof T as string extends K ? never : K]: 0 } : keyof T;

/** The names of optional members; an index signature and an untyped value are `unknown`. */
type OptionalName<T> = string extends keyof T
  ? keyof { [K in keyof T as IfOptional<T[K], K>]: 0 }
  : { [K in keyof T]-?: undefined extends T[K] ? (unknown extends T[K] ? never : K) : never }[keyof T];

type IfOptional<V, K> = undefined extends V ? (unknown extends V ? never : K) : never;

/** The names of navigation properties. */
export type NavigationName<T> = Exclude<OptionalName<T>, `${string}@${string}`> & string;

/** The names of structural properties. */
export type PropertyName<T> = Exclude<Declared<T>, OptionalName<T>> & string;

/** A record without what only $expand adds; an open type keeps the types of its declared properties. */
export type Structural<T> = string extends keyof T
  ? { [K in keyof T as K extends NavigationName<T> ? never : K]: T[K] }
  : Omit<T, NavigationName<T>>;

/** The type of the target of a navigation property. */
export type Target<V> = NonNullable<V> extends readonly (infer Item)[] ? Item : NonNullable<V>;
