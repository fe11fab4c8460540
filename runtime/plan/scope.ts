import { errors } from '../errors/catalogue.js';
import type { ComplexType, EntityContainer, EntityType } from '../edm/index.js';
import type { ODataError } from '../errors/odata-error.js';
import type { CommonExpr, MemberExpr } from '../expression/ast.js';
import { accessTo, type Caller } from './caller.js';
import type { PlanOptions } from './limits.js';
import type { ColumnExpr, JoinStep, PropertyExpr, Source, TypedExpr } from './typed-expr.js';

/** The value of a variable: an entity, or an item of a collection of values. */
export type Variable =
  | { readonly kind: 'record'; readonly source: Source; readonly type: EntityType; readonly computed?: Computed }
  | { readonly kind: 'element'; readonly value: ColumnExpr; readonly complex?: ComplexType };

/** The entity of a row. */
export function recordAt({ type, alias }: { readonly type: EntityType; readonly alias: string }): Variable {
  return { kind: 'record', source: { alias, table: type.table }, type };
}

/** Values that `$compute` gives a record, by name. */
interface Computed {
  readonly names: readonly string[];
  readonly find: (name: string) => TypedExpr | undefined;
}

/** Assigns aliases to the tables of a statement. */
export interface Aliases {
  readonly next: () => string;
  /** The number of values that each computed column of `$apply` depends on, and the largest: a chain multiplies with every link. */
  readonly weights: { readonly of: Map<string, number>; heaviest: number };
}

/** Aliases `t0`, `t1` and so on. */
export function createAliases(): Aliases {
  let count = 0;
  return { next: () => `t${count++}`, weights: { of: new Map(), heaviest: 1 } };
}

/** The scope of an expression: its names, and the effect of using a hidden one. */
export interface Scope {
  /** The query option, for messages and for the model's restrictions. */
  readonly option: string;
  readonly container: EntityContainer;
  readonly caller: Caller;
  readonly aliases: Aliases;
  /** The start of a path without a range variable. */
  readonly implicit: Variable;
  readonly variables: ReadonlyMap<string, Variable>;
  /** Type the expressions within others: functions that use those of all kinds of expressions. */
  readonly checks: { readonly [Kind in 'expr' | 'operand' | 'condition']: (expr: CommonExpr, scope: Scope) => TypedExpr };
  /** Collects what is wrong with the request and yet no error. */
  readonly advice?: ODataError[];
  /** Called with a property that this caller's scopes do not show. */
  readonly onRestricted: (name: string) => void;
  /** In `$apply` only: the condition that a row has a property, by its complete path. */
  readonly has?: (path: MemberExpr) => TypedExpr | undefined;
}

/** The option name of row filters, which may use hidden properties. */
export const rowRules = 'Rules.RowRules';

/** The request-wide parts of a scope. */
export type RequestScope = Pick<Scope, 'container' | 'caller' | 'aliases' | 'advice'>;

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

/** Names belong to the collection's members, as does `$this` (URL conventions 5.1.1.14.4). */
export function memberScope(scope: Scope, member: Variable): Scope {
  return { ...withVariable(scope, '$this', member), implicit: member };
}

/** The error for an expression of a wrong type, which names its position; `rest` is the end of the message. */
export function mismatchAt(at: number, { option }: Pick<Scope, 'option'>, text: string, rest = '.'): ODataError {
  return errors.typeMismatch(`${text}, at position ${at + 1}${rest}`).at(option);
}

/** Notes the use of a property that is hidden from the caller. */
export function noteRestricted(scope: Scope, type: EntityType, name: string): void {
  const access = accessTo(type, 'read', scope.caller);
  if (!access.allowed || access.restricted.has(name)) scope.onRestricted(name);
}

/** Refuses the use of a hidden property, which a value, a sum, or the order of the records would reveal. */
export function refuseHidden(name: string): never {
  throw errors.notPermitted(name).at(name);
}

/** The context of all plans. */
export interface PlanContext extends RequestScope {
  readonly settings: PlanOptions;
}

/** The target of a member path. */
export type PathTarget =
  | { readonly kind: 'value'; readonly expr: TypedExpr }
  /** `kept` are the items that are left, where they are rows of that alias. */
  | {
      readonly kind: 'elements';
      readonly column: PropertyExpr;
      readonly joinSteps: readonly JoinStep[];
      readonly complex?: ComplexType;
      readonly kept?: { readonly alias: string; readonly filter: TypedExpr };
    }
  /** `is` is the condition that an entity without joins, which the statement reads, has the type of a cast. */
  | {
      readonly kind: 'record';
      readonly joinSteps: readonly JoinStep[];
      readonly alias: string;
      readonly type: EntityType;
      readonly is?: TypedExpr;
    }
  | ({ readonly kind: 'records' } & RecordRows);

/** The entities at a path, with the condition of `/$filter(...)`. */
export interface RecordRows {
  readonly joinSteps: readonly JoinStep[];
  readonly type: EntityType;
  readonly filter?: TypedExpr;
}
