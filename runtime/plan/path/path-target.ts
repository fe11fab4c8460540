import type { ComplexType, EntityType, Field, Operation, Stream } from '../../edm/index.js';
import type { CommonExpr } from '../../expression/ast.js';
import type { KnownKey } from './plan-key.js';
import type { AddressPart, JoinedSet, ParentStep, UnionMember } from '../read-plan.js';
import type { RequestScope } from '../scope.js';
import type { DynamicExpr, PropertyExpr, TypedExpr, PathExpr, KeyCondition } from '../typed-expr.js';
import type { PathPart } from '../../uri/resource-path.js';

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

/** A collection in a path. */
export type CollectionTarget = Extract<Target, { kind: 'collection' }>;

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
  /** Whether the path casts a collection: only its items of the type count. */
  readonly cast?: true;
  readonly suffix: '' | '$value' | '$count';
}

/** The context for resolving paths. */
export interface PathContext extends RequestScope {
  /** The values of the parameter aliases that a path may use. */
  readonly parameters?: ReadonlyMap<string, CommonExpr>;
}

/** A call of an action or function, with the overloads that match its binding. */
export interface OperationTarget {
  readonly kind: 'operation';
  /** As in the path. */
  readonly name: string;
  /**
   * The overloads that match the binding, the nearest type first; for an import the unbound ones. An action and a function
   * may have one name: the method determines which is called.
   */
  readonly overloads: readonly Operation[];
  /** The binding value, and its path segments. */
  readonly binding?: Binding;
  readonly part: PathPart;
  /** The segments after the call. */
  readonly rest: readonly PathPart[];
}

/** The binding value of an operation, and its path segments. */
export interface Binding {
  readonly target: Target;
  readonly parts: readonly PathPart[];
  /** Whether it is the result of another function, so that only its type is known. */
  readonly composed?: true;
}

/** A media stream of one record: its property, or under the name `$value` that of the media entity. */
export interface StreamTarget extends RecordTarget {
  readonly kind: 'stream';
  readonly name: string;
  readonly stream: Stream;
}

/** An item of a collection by its ordinal (URL conventions 4.10). */
export interface ItemStep {
  /** The path to the collection, as the request has it: `Lines`, `Lines/0/Parts`. */
  readonly name: string;
  /** From the end where it is negative. */
  readonly ordinal: number;
  readonly items: PropertyExpr;
  /** The collection was cast to this type: only its items of the type count (URL conventions 4.11). */
  readonly among?: ComplexType;
  readonly item: PathExpr;
}
