import type { EntityType, Field, JoinTable, Stream } from '../edm/index.js';
import type { KeysetValue } from './keyset-value.js';
import type { PrintedOption } from '../uri/print-options.js';
import type { ApplyPlan } from './apply-plan.js';
import type { ComplexShape, Selected } from './complex-shape.js';
import type { Hop, Source, TypedExpr } from './typed-expr.js';

/** A structural property that is read. */
export interface SelectedColumn {
  readonly name: string;
  readonly column: string;
  readonly field: Field;
  /** Read in place of the column. */
  readonly expression?: TypedExpr;
  /** What is shown of a complex value. */
  readonly shape?: ComplexShape;
  /** The paths that `$select` names within it, when it does not name the whole. */
  readonly paths?: readonly string[];
  /** Of a derived type: its qualified name, and those of all types read that have the property. */
  readonly owner?: string;
  readonly of?: ReadonlySet<string>;
  /** Made by `$apply`, and unknown to the model. */
  readonly dynamic?: boolean;
  /** The column that tells whether the record has the property at all. */
  readonly presence?: string;
  /** Read, and not shown. */
  readonly hidden?: true;
  /** Control information of the column behind it, and no property itself. */
  readonly control?: true;
}

/** A media stream that is told of: its media type and ETag are read, and its bytes where it is expanded. */
export interface SelectedStream {
  readonly name: string;
  readonly stream: Stream;
  /** Shown with its value (JSON format 9). */
  readonly inline?: true;
  /** Its value is shown only where this holds, since other values do not have it. */
  readonly shownWhere?: TypedExpr;
  /** Of a derived type: its qualified name, and those of all types read that have the stream. */
  readonly owner?: string;
  readonly of?: ReadonlySet<string>;
}

/** A navigation property that is selected. */
export interface SelectedLink {
  readonly name: string;
  /** Of a derived type: its qualified name, and those of all types read that have it. */
  readonly owner?: string;
  readonly of?: ReadonlySet<string>;
}

/** A value that `$compute` gives a record; its field says how it is written. */
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

/** What is read of one record: its columns, and what is expanded beneath it. */
export interface Selection extends Source {
  readonly type: EntityType;
  /** What the client takes the record for, where a cast has been to a type that derives from it. */
  readonly declared?: EntityType;
  /** The types that records may be of, where `#type` has to be read to know. */
  readonly types?: readonly TypeVariant[];
  readonly columns: readonly SelectedColumn[];
  readonly computed: readonly ComputedColumn[];
  readonly streams?: readonly SelectedStream[];
  readonly expands: readonly ExpandPlan[];
  /** Navigation properties whose addresses full metadata shows. */
  readonly links?: readonly string[];
  /** Navigation properties that `$select` names. */
  readonly selectedLinks?: readonly SelectedLink[];
  /** Of an open type: which of the properties that the model does not declare are shown. */
  readonly open?: Selected;
  /** The internal version is read too, for `@odata.etag`. */
  readonly etag: boolean;
  /** What the request that wrote the records calls some of them, by number. */
  readonly named?: ReadonlyMap<string, string>;
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

/** How an expanded collection goes on where it is cut, since a client set it no `$top`. */
export interface ExpandPage {
  readonly size: number;
  /** The options that hold beyond the cut, for the link. */
  readonly options: readonly PrintedOption[];
}

/** An expanded navigation property. */
export interface ExpandPlan {
  readonly name: string;
  /** The property itself, where a request has given it another name. */
  readonly source?: string;
  /** Of a derived type: its qualified name, and those of all types that have the property. */
  readonly owner?: string;
  readonly of?: ReadonlySet<string>;
  /** The path to the complex value that shows it. */
  readonly within?: string;
  /** Shown only where this holds, since other values of the property do not have it. */
  readonly shownWhere?: TypedExpr;
  /** Its path in a context URL, where that has casts which `within` has not. */
  readonly listed?: string;
  /** What leads to it from its record, where there are casts beside the name. */
  readonly path?: string;
  /** It leads back to what contains the record, so many names up in its address. */
  readonly up?: number;
  /** What is shown: the records, only their addresses (`/$ref`), or only their number (`/$count`). */
  readonly form: 'records' | 'references' | 'count';
  readonly collection: boolean;
  readonly hop: Hop;
  /** What stands in place of the hop's table, which its first step then begins with. */
  readonly apply?: ApplyPlan;
  readonly selection: Selection;
  readonly filter?: TypedExpr;
  readonly order: readonly OrderTerm[];
  readonly top?: number;
  readonly skip?: number;
  readonly count: boolean;
  /** Of a collection without `$top`. */
  readonly page?: ExpandPage;
}

/** A part of an address: the name of a set, singleton or navigation property, or a cast, and the key behind it. */
export interface AddressPart {
  readonly name: string;
  readonly type: EntityType;
  readonly key?: readonly KeyCondition[];
  /** A navigation property to one record, behind which no key stands. */
  readonly alone?: true;
}

/** A key condition: the column equals the value. */
export interface KeyCondition {
  readonly column: string;
  readonly sqlType: string;
  readonly value: string;
}

/** A record on the way to the target: its key, what the path asks of it, and the step from the target (or the next parent) back to it. */
export interface ParentStep extends Source {
  readonly type: EntityType;
  readonly key: readonly KeyCondition[];
  readonly filter?: TypedExpr;
  readonly on: readonly (readonly [child: string, parent: string])[];
  /** The table that joins the two, as the parent sees it, where they have no columns for it. */
  readonly through?: JoinTable;
  /** What says whose the child is lies within complex values of it. */
  readonly follows?: readonly string[];
  /** The type whose records say which of them belong together. */
  readonly holder: EntityType;
  /** The child's columns that repeat the parent's key beside that. */
  readonly mirrors?: readonly (readonly [child: string, parent: string])[];
  /** The step leads to several records, of which a key says one. */
  readonly toMany?: true;
  /** The records that the step leads to belong to this one. */
  readonly contains?: true;
  /** The two belong together for good, so that no reference between them changes. */
  readonly fixed?: true;
  /** The child's table, where of several records that meet the parent only the one that was there first is meant. */
  readonly firstOf?: string;
}

/** An entity set of a cross join. */
export interface JoinedSet {
  readonly name: string;
  readonly type: EntityType;
  readonly alias: string;
}

/** A place of records that `$all` reads: an entity set or a singleton. */
export interface UnionMember {
  readonly name: string;
  readonly type: EntityType;
  readonly alias: string;
  /** What `#type` says of the place's records, where others share its table. */
  readonly types?: readonly string[];
  /** Columns with the record's number: the place's own one first, then one for each type that the record is of. */
  readonly columns: readonly { readonly column: string; readonly type: EntityType; readonly types?: readonly string[] }[];
  readonly filter?: TypedExpr;
}

/** Everything that a read needs, checked; there is nothing left in it that could be refused. */
export interface ReadPlan {
  readonly selection: Selection;
  /** What stands in place of the selection's table. */
  readonly apply?: ApplyPlan;
  /** Of a cross join: all that are joined, the selection's own table last. */
  readonly sets?: readonly JoinedSet[];
  /** Of `$all`: the places whose records are put together, each of which is expanded. */
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
