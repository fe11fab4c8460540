import type { Condition, Expression } from './expression.js';
import type { Fields } from './fields.js';
import type { NavigationName, PropertyName, Structural, Target } from './names.js';

/** A property, ascending or descending. */
type OrderbyItem<T> = PropertyName<T> | `${PropertyName<T>} desc` | `${PropertyName<T>} asc`;

/** The parts of a record to read. */
export interface Shape<T> {
  /** The properties to read; all where absent. An empty list is none to the type and all to the service. */
  readonly select?: readonly [PropertyName<T>, ...PropertyName<T>[]];
  /** Related records to read along: `true`, or a query. */
  readonly expand?: { readonly [N in NavigationName<T>]?: true | Query<Target<T[N & keyof T]>> };
  /** Values to calculate, by their names in the result. */
  readonly compute?: { readonly [name: string]: (fields: Fields<T>) => Expression<unknown> };
}

/** The records to read, and what of them. */
export interface Query<T> extends Shape<T> {
  readonly filter?: Condition | ((fields: Fields<T>) => Condition) | undefined;
  readonly orderby?: readonly OrderbyItem<T>[] | ((fields: Fields<T>) => readonly Expression<unknown>[]) | undefined;
  readonly search?: string | undefined;
  /** $top: the most records, or of a listing service the most of a page; `limit` ends a loop. */
  readonly top?: number | undefined;
  readonly skip?: number | undefined;
  /** Whether pages have the number of all matching records. */
  readonly count?: boolean | undefined;
}

/** The records to count. */
export type CountQuery<T> = Pick<Query<T>, 'filter' | 'search'>;

type Option = 'select' | 'expand' | 'compute' | 'filter' | 'orderby' | 'search' | 'top' | 'skip' | 'count';

/** Rejects members that a query does not have, which a type parameter alone would accept. */
export type Exact<Q> = ([Exclude<keyof Q, Option>] extends [never] ? unknown : { readonly [K in Exclude<keyof Q, Option>]: never }) &
  (Q extends { readonly expand: infer E }
    ? { readonly expand: { readonly [N in keyof E]: E[N] extends object ? Exact<E[N]> : unknown } }
    : unknown);

/** A record as a query reads it. */
export type Result<T, Q> = Q extends { readonly select: unknown }
  ? Show<Selected<T, Q> & Expanded<T, Q> & Computed<Q>>
  : Structural<T> & Expanded<T, Q> & Computed<Q>;

type Show<T> = { [K in keyof T]: T[K] };

type Selected<T, Q> = Q extends { readonly select: readonly (infer K)[] } ? Pick<T, K & keyof T> : Structural<T>;

type Expanded<T, Q> = Q extends { readonly expand: infer E }
  ? { [N in keyof E & keyof T]-?: Related<Exclude<T[N], undefined>, E[N]> }
  : unknown;

type Related<V, Q> = V extends readonly (infer Item)[] ? Result<Item, Q>[] : V extends null ? null : Result<V, Q>;

type Computed<Q> = Q extends { readonly compute: infer C }
  ? { -readonly [N in keyof C]: C[N] extends (fields: never) => Expression<infer V> ? V | null : never }
  : unknown;
