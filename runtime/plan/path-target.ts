import type { EntityType, Field } from '../edm/index.js';
import type { CommonExpr } from '../expression/ast.js';
import { isOfTypes } from './check/type-cast.js';
import type { OperationTarget } from './find-call.js';
import { both } from './plan-filter.js';
import type { ItemStep } from './item-step.js';
import type { ChosenItems } from './plan-items.js';
import type { KnownKey } from './plan-key.js';
import type { StreamTarget } from './plan-stream.js';
import type { AddressPart, JoinedSet, KeyCondition, ParentStep, UnionMember } from './read-plan.js';
import type { RequestScope } from './scope.js';
import type { DynamicExpr, PropertyExpr, TypedExpr } from './typed-expr.js';

/** The target of a resource path. The alias belongs to the target in every statement. */
export interface RecordTarget {
  readonly type: EntityType;
  readonly alias: string;
  readonly parents: readonly ParentStep[];
  readonly key: readonly KeyCondition[];
  /** The values of `#type` that a type cast permits, if not all. */
  readonly types?: readonly string[] | undefined;
  /** The conditions of `/$filter(...)`, combined. */
  readonly filter?: TypedExpr | undefined;
  /** The same as the request has it. */
  readonly conditions?: readonly CommonExpr[] | undefined;
  /** The last navigation property of the path, where there was one. */
  readonly via: string | undefined;
  /** The address of the target: contained entities have one in place of a set. */
  readonly address?: readonly AddressPart[] | undefined;
  /** The key properties that the preceding entity determines. */
  readonly known?: KnownKey | undefined;
  /** Of a cross join: the joined sets. */
  readonly sets?: readonly JoinedSet[] | undefined;
  /** Of `$all`: the entity sources that are combined. */
  readonly union?: readonly UnionMember[] | undefined;
}

/** The target of a resource path; the methods that it offers depend on the kind. */
export type Target =
  | { readonly kind: 'service' }
  | { readonly kind: 'metadata' }
  | ({ readonly kind: 'collection'; readonly suffix: '' | '$count' | '$ref' | '$each' } & RecordTarget)
  | ({ readonly kind: 'entity'; readonly suffix: '' | '$ref' } & RecordTarget)
  | PropertyTarget
  | StreamTarget
  | OperationTarget;

/** A property of one record, which may lie within a complex value. */
export interface PropertyTarget extends RecordTarget {
  readonly kind: 'property';
  /** The path to it from the record: `City`, `Address/City`, `Lines/0/Amount`. */
  readonly name: string;
  readonly field: Field;
  readonly value: PropertyExpr;
  /** The expression of an undeclared property; the value is the one that contains it. */
  readonly dynamic?: DynamicExpr;
  /** The items on the way to it, or the item that it is, outermost first. */
  readonly items?: readonly ItemStep[];
  /** Which items of a collection, where the path chooses among them. */
  readonly chosen?: ChosenItems;
  readonly suffix: '' | '$value' | '$count';
}

/** The conditions of the path on its target apart from the key: types and filters. */
export function conditionOf({ alias, types, filter }: Pick<RecordTarget, 'alias' | 'types' | 'filter'>): TypedExpr | undefined {
  return both(types && isOfTypes(alias, types), filter);
}

/** The context for resolving paths. */
export interface PathContext extends RequestScope {
  /** The values of the parameter aliases that a path may use. */
  readonly parameters?: ReadonlyMap<string, CommonExpr>;
}
