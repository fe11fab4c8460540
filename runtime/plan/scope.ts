import type { EntityContainer, EntityType } from '../edm/index.js';
import { accessTo, type Caller } from './caller.js';
import type { ColumnExpr, Source } from './typed-expr.js';

/** What a name in front of a path stands for: a record, or an element of a collection of values. */
export type Variable =
  | { readonly kind: 'record'; readonly source: Source; readonly type: EntityType }
  | { readonly kind: 'element'; readonly value: ColumnExpr };

/** Gives every table of a statement an alias of its own. */
export interface Aliases {
  readonly next: () => string;
}

/** Aliases `t0`, `t1` and so on. */
export function createAliases(): Aliases {
  let count = 0;
  return { next: () => `t${count++}` };
}

/** Where an expression stands: which names it may use, and what happens when it may not use one. */
export interface Scope {
  /** The query option, for messages and for the model's restrictions. */
  readonly option: string;
  readonly container: EntityContainer;
  readonly caller: Caller;
  readonly aliases: Aliases;
  /** What a path without a range variable starts from. */
  readonly implicit: Variable;
  readonly variables: ReadonlyMap<string, Variable>;
  /** Called with a property that this caller's scopes do not show. */
  readonly onRestricted: (name: string) => void;
}

/** The scope inside a lambda: the same, and one more variable. */
export function withVariable(scope: Scope, name: string, variable: Variable): Scope {
  return { ...scope, variables: new Map(scope.variables).set(name, variable) };
}

/** Tells the scope when the caller may not see the property. */
export function noteRestricted(scope: Scope, type: EntityType, name: string): void {
  const access = accessTo(type, 'read', scope.caller);
  if (!access.allowed || access.restricted.has(name)) scope.onRestricted(name);
}
