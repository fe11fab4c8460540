import type { ComplexType, EntityContainer, EntityType } from '../edm/index.js';
import { accessTo, type Caller } from './caller.js';
import type { MemberExpr } from '../expression/ast.js';
import type { ColumnExpr, Source, TypedExpr } from './typed-expr.js';

/** What a name in front of a path stands for: a record, or an element of a collection of values. */
export type Variable =
  | { readonly kind: 'record'; readonly source: Source; readonly type: EntityType; readonly computed?: Computed }
  | { readonly kind: 'element'; readonly value: ColumnExpr; readonly complex?: ComplexType }
  | { readonly kind: 'dynamic'; readonly alias: string };

/** Values that `$compute` gives a record, by name. */
interface Computed {
  readonly names: readonly string[];
  /** The expression behind a name, to stand in its place. */
  readonly find: (name: string) => TypedExpr | undefined;
}

/** Gives every table of a statement an alias of its own. */
export interface Aliases {
  readonly next: () => string;
  /** How many values lie behind each column that `$apply` computes, and the most of them: a chain multiplies with every link. */
  readonly weights: { readonly of: Map<string, number>; heaviest: number };
}

/** Aliases `t0`, `t1` and so on. */
export function createAliases(): Aliases {
  let count = 0;
  return { next: () => `t${count++}`, weights: { of: new Map(), heaviest: 1 } };
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
  /** Behind a transformation: whether the rows have a property, by its whole path. */
  readonly has?: (path: MemberExpr) => TypedExpr | undefined;
}

/** What stands in place of an option where a rule of the model is planned, which may use what clients may not. */
export const rowRules = 'Rules.RowRules';

/** What a scope has from the request as a whole. */
export type RequestScope = Pick<Scope, 'container' | 'caller' | 'aliases'>;

/** The scope of the records that the resource path addresses, each of which is `$this` as well: links to more of an expanded collection say so. */
export function rootScope(
  { type, alias }: { readonly type: EntityType; readonly alias: string },
  { container, caller, aliases }: RequestScope,
): Scope {
  const implicit = { kind: 'record' as const, source: { alias, table: type.table }, type };
  return {
    option: '$filter',
    container,
    caller,
    aliases,
    implicit,
    variables: new Map([
      ['$it', implicit],
      ['$this', implicit],
    ]),
    onRestricted: () => undefined,
  };
}

/** The scope in which the record itself has computed values too. */
export function withComputed(scope: Scope, computed: Computed): Scope {
  if (scope.implicit.kind !== 'record') return scope;
  const implicit: Variable = { ...scope.implicit, computed };
  const variables = [...scope.variables].map(([name, variable]) => [name, variable === scope.implicit ? implicit : variable] as const);
  return { ...scope, implicit, variables: new Map(variables) };
}

/** The names that `$compute` gave to values of the record. */
export function computedNames({ implicit }: Scope): readonly string[] {
  return implicit.kind === 'record' ? (implicit.computed?.names ?? []) : [];
}

/** The scope inside a lambda: the same, and one more variable. */
export function withVariable(scope: Scope, name: string, variable: Variable): Scope {
  return { ...scope, variables: new Map(scope.variables).set(name, variable) };
}

/** Names are those of the collection's members, which `$this` stands for (URL conventions 5.1.1.14.4). */
export function memberScope(scope: Scope, member: Variable): Scope {
  return { ...withVariable(scope, '$this', member), implicit: member };
}

/** Tells the scope when the caller may not see the property. */
export function noteRestricted(scope: Scope, type: EntityType, name: string): void {
  const access = accessTo(type, 'read', scope.caller);
  if (!access.allowed || access.restricted.has(name)) scope.onRestricted(name);
}
