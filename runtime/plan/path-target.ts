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

/** What a resource path addresses. The alias is the target's own in every statement about it. */
export interface RecordTarget {
  readonly type: EntityType;
  readonly alias: string;
  readonly parents: readonly ParentStep[];
  readonly key: readonly KeyCondition[];
  /** What `#type` may say of the target, where a cast leaves out some records. */
  readonly types?: readonly string[] | undefined;
  /** What `/$filter(...)` asks of the target, all of them together. */
  readonly filter?: TypedExpr | undefined;
  /** The same as the request has it. */
  readonly conditions?: readonly CommonExpr[] | undefined;
  /** The last navigation property of the path, where there was one. */
  readonly via: string | undefined;
  /** How the target is addressed: what contained records have instead of a set. */
  readonly address?: readonly AddressPart[] | undefined;
  /** The key properties that the record in front of it says already. */
  readonly known?: KnownKey | undefined;
  /** Of a cross join: what is joined. */
  readonly sets?: readonly JoinedSet[] | undefined;
  /** Of `$all`: the places whose records are put together. */
  readonly union?: readonly UnionMember[] | undefined;
}

/** What a resource path addresses, of which there is exactly one; the methods that it offers depend on the kind. */
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
  /** What is read instead of a property that the type does not declare; the value is what it lies in. */
  readonly dynamic?: DynamicExpr;
  /** The items on the way to it, or the item that it is, outermost first. */
  readonly items?: readonly ItemStep[];
  /** Which items of a collection, where the path chooses among them. */
  readonly chosen?: ChosenItems;
  readonly suffix: '' | '$value' | '$count';
}

/** What the path asks of the target beside its key: its type, and the conditions in it. */
export function conditionOf({ alias, types, filter }: Pick<RecordTarget, 'alias' | 'types' | 'filter'>): TypedExpr | undefined {
  return both(types && isOfTypes(alias, types), filter);
}

/** What a path is resolved with. */
export interface PathContext extends RequestScope {
  /** The values of the parameter aliases that a path may use. */
  readonly parameters?: ReadonlyMap<string, CommonExpr>;
}
