import type { EntityType, Field, Navigation, Stream } from '../edm/index.js';
import type { KeysetValue } from './keyset-value.js';
import type { PrintedOption } from '../uri/print-options.js';
import type { ComplexShape, Selected } from './complex-selection.js';
import type { JoinStep, KeyCondition, Source, TypedExpr } from './typed-expr.js';

/** A structural property that is read. */
export interface SelectedColumn extends OfDerived {
  readonly column: string;
  readonly field: Field;
  /** Read in place of the column. */
  readonly expression?: TypedExpr;
  readonly shape?: ComplexShape;
  /** The paths that `$select` names within it, when it does not name the whole. */
  readonly paths?: readonly string[];
  /** Made by `$apply`, and unknown to the model. */
  readonly dynamic?: boolean;
  /** The boolean column that is true where the row has the property. */
  readonly presence?: string;
  /** Whether it is read but not returned. */
  readonly hidden?: true;
  /** Whether it is an annotation of the next column, not a property. */
  readonly control?: true;
}

/** A media stream whose metadata is returned: media type and ETag. */
export interface SelectedStream extends OfDerived {
  readonly stream: Stream;
}

/** A navigation property that is selected. */
export type SelectedLink = OfDerived;

/** A property, stream or navigation property, perhaps of some types only. */
export interface OfDerived {
  readonly name: string;
  /** Of a derived type: its qualified name, and those of all types read that have it. */
  readonly owner?: string;
  readonly of?: ReadonlySet<string>;
}

/** A value of `$compute`; its field determines its form. */
export interface ComputedColumn {
  readonly name: string;
  readonly expression: TypedExpr;
  readonly field: Field;
}

/** A type that a record which is read may be of. */
export interface TypeVariant {
  readonly type: EntityType;
  readonly links: readonly string[];
}

/** The columns and expansions of an entity. */
export interface Selection extends Source {
  readonly type: EntityType;
  /** The type known to the client, where a cast selected a derived one. */
  readonly declared?: EntityType;
  /** The types that records may be of, where `#type` has to be read to know. */
  readonly types?: readonly TypeVariant[];
  readonly columns: readonly SelectedColumn[];
  readonly computed: readonly ComputedColumn[];
  readonly streams?: readonly SelectedStream[];
  readonly expands: readonly ExpandPlan[];
  /** The navigation properties whose links full metadata contains. */
  readonly links?: readonly string[];
  /** Navigation properties that `$select` names. */
  readonly selectedLinks?: readonly SelectedLink[];
  /** The operations that `$select` names, as a context URL has them: `Ns.Action`, `Ns.Function(a,b)`, `Ns.*`. */
  readonly operations?: readonly string[];
  /** Of an open type: the selection of dynamic properties. */
  readonly open?: Selected;
  /** The internal version is read too, for `@odata.etag`. */
  readonly etag: boolean;
  /** The request's names of written entities, by id. */
  readonly named?: ReadonlyMap<string, string>;
  /** `@odata.id` is returned in minimal metadata, since `$select` omits the key; or no address is, since the caller may not read the key. */
  readonly id?: 'shown' | 'hidden';
  /** Of a result of `$apply` whose rows are partly records: the members of those, from the same row; others have no key. */
  readonly records?: Selection;
  /** The key is read too, for `@odata.id`, even when it was not selected. */
  readonly keyColumns: readonly SelectedColumn[];
  /** Of contained records: the address that they are read at. */
  readonly address?: readonly AddressPart[];
}

/** One term of the order; the last ones are the key, so that the order is total. */
export interface OrderTerm {
  readonly expression: TypedExpr;
  readonly descending: boolean;
}

/** The paging of an expanded collection without `$top`. */
export interface ExpandPage {
  readonly size: number;
  /** The options that hold beyond the cut, for the link. */
  readonly options: readonly PrintedOption[];
}

/** An expanded navigation property. */
export interface ExpandPlan extends OfDerived {
  /** The property itself, where a request has given it another name. */
  readonly source?: string;
  /** The path to the complex value that shows it. */
  readonly within?: string;
  /** The condition under which it exists, since other values of the property do not have it. */
  readonly existsWhere?: TypedExpr;
  /** Its path in a context URL, where that has casts which `within` has not. */
  readonly listed?: string;
  /** The path from its entity, if it has casts. */
  readonly path?: string;
  /** For a back-reference to the containing entity: the number of path segments up. */
  readonly up?: number;
  /** The form of the result: entities, their addresses (`/$ref`), or their number (`/$count`). */
  readonly form: 'records' | 'references' | 'count';
  readonly collection: boolean;
  readonly joinStep: JoinStep;
  readonly selection: Selection;
  readonly filter?: TypedExpr;
  readonly order: readonly OrderTerm[];
  readonly top?: number;
  readonly skip?: number;
  readonly count: boolean;
  /** Of a collection without `$top`. */
  readonly page?: ExpandPage;
}

/** A part of an address: the name of a set, singleton or navigation property, or a cast, with its key. */
export interface AddressPart {
  readonly name: string;
  readonly type: EntityType;
  readonly key?: readonly KeyCondition[];
  /** Whether it is a single-valued navigation property, without a key. */
  readonly alone?: true;
}

/**
 * An entity on the path to the target: its key, its conditions, and the join from the target (or the next parent) back to it;
 * a join table is as the parent sees it.
 */
export interface ParentStep extends Source, Pick<Navigation, 'through' | 'follows' | 'insertable' | 'contains'> {
  readonly type: EntityType;
  readonly key: readonly KeyCondition[];
  readonly filter?: TypedExpr;
  readonly on: readonly (readonly [child: string, parent: string])[];
  /** The type whose rows store the relation. */
  readonly holder: EntityType;
  /** The child's columns that mirror the parent's key, in addition to the reference. */
  readonly mirrors?: readonly (readonly [child: string, parent: string])[];
  /** Whether the navigation property is collection-valued, so that a key identifies the child. */
  readonly toMany?: true;
  /** The two belong together for good, so that no reference between them changes. */
  readonly fixed?: true;
  /** The child's table, if only the oldest of several matching records is the target. */
  readonly firstOf?: string;
}

/** An entity set of a cross join. */
export interface JoinedSet {
  readonly name: string;
  readonly type: EntityType;
  readonly alias: string;
}

/** An entity source that `$all` reads: an entity set or a singleton. */
export interface UnionMember extends JoinedSet {
  /** The values of `#type` for its entities, where other types share the table. */
  readonly types?: readonly string[];
  /** Columns with the record's number: the place's own one first, then one for each type that the record is of. */
  readonly columns: readonly { readonly column: string; readonly type: EntityType; readonly types?: readonly string[] }[];
  readonly filter?: TypedExpr;
}

/** Everything that a read needs, checked; there is nothing left in it that could be refused. */
export interface ReadPlan {
  readonly selection: Selection;
  /** The query in place of the selection's table. */
  readonly apply?: ApplyPlan;
  /** Of a cross join: all that are joined, the selection's own table last. */
  readonly sets?: readonly JoinedSet[];
  /** Of `$all`: the entity sources that are combined, each of which is expanded. */
  readonly union?: readonly UnionMember[];
  readonly parents: readonly ParentStep[];
  readonly key: readonly KeyCondition[];
  readonly filter?: TypedExpr;
  readonly order: readonly OrderTerm[];
  /** Values of the order's terms in the last record of the previous page. */
  readonly after?: readonly KeysetValue[];
  readonly limit?: number;
  readonly offset?: number;
  readonly count: boolean;
}

/** The plan of `$apply`: the source, and steps over the result of the previous one, which the feature plans and compiles. */
export interface ApplyPlan {
  readonly base: ApplyBase;
  readonly steps: readonly unknown[];
}

/** The records of the resource path. */
export interface ApplyBase extends Source, Pick<ReadPlan, 'parents' | 'key' | 'filter'> {}

/** The read of a page, before its window is planned. */
export type PageRead = Omit<ReadPlan, 'limit' | 'count'>;
