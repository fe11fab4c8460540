import type { Navigation } from '../../runtime/edm/index.js';
import type { NavigationProperty } from '../csdl/csdl.js';
import type { BuiltType } from './build-type.js';
import type { JoinTable, Relation } from './stored-relation.js';
import type { PathColumn } from './path-column.js';

/** A navigation property with its two types and its partner. */
export interface Ends {
  readonly property: NavigationProperty;
  readonly type: BuiltType;
  readonly target: BuiltType;
  readonly inverse: NavigationProperty | undefined;
  /** The suffixes of the two types' tables, for their entity sources. */
  readonly suffixes: readonly [own: string, other: string];
  /** Whether the entities of each side are contained, so that their keys are not unique. */
  readonly contained: readonly [own: boolean, other: boolean];
}

/** The join of two types, and the storage for it on this side. */
export interface Joined {
  readonly navigation: Pick<
    Navigation,
    | 'join'
    | 'mirroredBy'
    | 'mirrors'
    | 'through'
    | 'required'
    | 'owns'
    | 'setsNull'
    | 'goesAlong'
    | 'follows'
    | 'contains'
    | 'container'
    | 'sole'
  >;
  readonly relation?: Relation;
  /** Columns for the relation, in addition to those of properties. */
  readonly pathColumns?: readonly PathColumn[];
  readonly joinTable?: JoinTable;
}

/** The name of a navigation property in messages. */
export function label({ name: owner }: BuiltType, { name }: NavigationProperty): string {
  return `${owner}/${name}`;
}

/** Whether the targets require an entity of this type, and are deleted with it. */
export function ownsOf({ property }: Ends, isRequired: boolean): Pick<Navigation, 'owns'> {
  return isRequired && property.onDelete?.action === 'Cascade' ? { owns: true } : {};
}

/** The effect of the target's deletion on the property or the row. */
export function fateOf(onDelete: Relation['onDelete']): Pick<Navigation, 'setsNull' | 'goesAlong'> {
  if (onDelete === 'cascade') return { goesAlong: true };
  return onDelete === 'set null' ? { setsNull: true } : {};
}

/** The effect on another row with the same target, where the partner is single-valued. */
export function soleOf({ property, inverse }: Ends, mayBeNull: boolean): Pick<Navigation, 'sole'> {
  if (inverse === undefined || inverse.collection || inverse.containsTarget || property.containsTarget) return {};
  return { sole: mayBeNull ? 'frees' : 'refuses' };
}
