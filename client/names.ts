/** The declared names of a type: of an open type too, whose index signature would hide them. */
export type Declared<T> = keyof { [K in keyof T as string extends K ? never : K]: 0 } & keyof T & string;

/** The names of properties and navigation properties, without annotations. */
export type Names<T> = Exclude<Declared<T>, `${string}@${string}`>;

/** Generated types declare navigation properties as optional, and everything else as required. */
export type NavigationName<T> = { [K in Names<T>]-?: object extends Pick<T, K> ? K : never }[Names<T>];

/** The names of structural properties. */
export type PropertyName<T> = Exclude<Names<T>, NavigationName<T>>;

/** A record without what only $expand adds. */
export type Structural<T> = Omit<T, NavigationName<T>>;

/** The type of a record behind a navigation property. */
export type Target<V> = NonNullable<V> extends readonly (infer Item)[] ? Item : NonNullable<V>;
