import type { Condition, Expression, Literal } from './expression.js';

/**
 * The properties of a record in expressions: paths, with the operators and functions of their types. Dynamic properties
 * of open types are compared with anything.
 */
export type Fields<T> = {
  readonly [K in keyof T]-?: unknown extends T[K] ? Comparable<unknown, never, null> : Field<NonNullable<T[K]>, Extract<T[K], null>>;
};

/** A value of the type V, or null where N is null. */
export type Field<V, N = never> = [V] extends [readonly (infer Item)[]]
  ? CollectionField<Item>
  : [V] extends [string]
    ? 'edm' extends keyof V
      ? UnquotedField<V, N>
      : `${number}` extends V
        ? string extends V
          ? TextField<V, N>
          : NumberField<N, V>
        : TextField<V, N>
    : [V] extends [number]
      ? NumberField<N>
      : [V] extends [boolean]
        ? Comparable<boolean, boolean, N>
        : [V] extends [Shape]
          ? Expression<V> & NullTest
          : [V] extends [object]
            ? Fields<V> & NullTest
            : Comparable<V, never, N>;

/** A value of a geographic type, in GeoJSON. */
interface Shape {
  readonly type: string;
  readonly coordinates: readonly unknown[];
}

/** A value that may be compared with null: whether there is one. */
interface NullTest {
  eq(value: null): Condition;
  ne(value: null): Condition;
}

/** Equality, for every type; `Other` are values that equal the type's own ones in form, and `Read` is what records have. */
interface Comparable<V, Other, N, Read = V> extends Expression<Read> {
  eq(value: V | Other | N | Literal | Expression<V | Read>): Condition;
  ne(value: V | Other | N | Literal | Expression<V | Read>): Condition;
  in(values: readonly (V | Other | N | Literal)[]): Condition;
}

/** Order, for numbers, text, dates and times. */
interface Ordered<V, Other, N, Read = V> extends Comparable<V, Other, N, Read> {
  lt(value: V | Other | Literal | Expression<V | Read>): Condition;
  le(value: V | Other | Literal | Expression<V | Read>): Condition;
  gt(value: V | Other | Literal | Expression<V | Read>): Condition;
  ge(value: V | Other | Literal | Expression<V | Read>): Condition;
}

/** Text, a closed list of values, or a duration. */
interface TextField<V extends string, N> extends Ordered<V, never, N> {
  contains(text: string | Expression<string>): Condition;
  startswith(text: string | Expression<string>): Condition;
  endswith(text: string | Expression<string>): Condition;
  matchespattern(pattern: string): Condition;
  /** The flags of an enumeration include the given ones. */
  has(members: V | Literal): Condition;
  indexof(text: string | Expression<string>): NumberField;
  length(): NumberField;
  tolower(): TextField<string, N>;
  toupper(): TextField<string, N>;
  trim(): TextField<string, N>;
  substring(start: number, length?: number): TextField<string, N>;
  concat(text: string | Expression<string>): TextField<string, N>;
}

/**
 * A date, a time or a GUID, which records have as text and queries do not quote: compare it with a `Date`, or with
 * `day(text)`, `dateTime(text)`, `timeOfDay(text)` or `guid(text)`.
 */
interface UnquotedField<V, N> extends Ordered<V extends Unquoted<'Date' | 'DateTimeOffset'> ? Date : never, never, N, V> {
  year(): NumberField;
  month(): NumberField;
  day(): NumberField;
  hour(): NumberField;
  minute(): NumberField;
  second(): NumberField;
  date(): UnquotedField<Unquoted<'Date'>, N>;
  time(): UnquotedField<Unquoted<'TimeOfDay'>, N>;
}

/** Text with the mark of generated types. */
type Unquoted<Type> = string & { edm?: Type };

/** A number, which records may have as text. */
interface NumberField<N = never, Read = number> extends Ordered<number, bigint, N, Read> {
  add(value: number | Literal | Expression<number | Read>): NumberField<N, Read>;
  sub(value: number | Literal | Expression<number | Read>): NumberField<N, Read>;
  mul(value: number | Literal | Expression<number | Read>): NumberField<N, Read>;
  div(value: number | Literal | Expression<number | Read>): NumberField<N, Read>;
  divby(value: number | Literal | Expression<number | Read>): NumberField<N, Read>;
  mod(value: number | Literal | Expression<number | Read>): NumberField<N, Read>;
  round(): NumberField<N, Read>;
  floor(): NumberField<N, Read>;
  ceiling(): NumberField<N, Read>;
}

/** A collection of values or related records. */
interface CollectionField<Item> {
  any(condition?: (item: Field<NonNullable<Item>, Extract<Item, null>>) => Condition): Condition;
  all(condition: (item: Field<NonNullable<Item>, Extract<Item, null>>) => Condition): Condition;
  count(): NumberField;
}
