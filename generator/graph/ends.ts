import type { Navigation } from '../../runtime/edm/index.js';
import type { NavigationProperty } from '../csdl/csdl.js';
import type { BuiltType } from './build-type.js';
import type { JoinTable, Relation } from './stored-relation.js';
import type { PathColumn } from './path-column.js';

/** A navigation property, the two types that it relates, and the navigation property that leads back. */
export interface Ends {
  readonly property: NavigationProperty;
  readonly type: BuiltType;
  readonly target: BuiltType;
  readonly inverse: NavigationProperty | undefined;
  /** What tells the tables of the two types from those at other places. */
  readonly suffixes: readonly [own: string, other: string];
  /** Which of the two types' records are contained in others, so that their keys say too little. */
  readonly contained: readonly [own: boolean, other: boolean];
}

/** How the records of two types are joined, and what has to be stored for it on this side. */
export interface Joined {
  readonly navigation: Pick<
    Navigation,
    | 'join'
    | 'copies'
    | 'repeats'
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
  /** Columns that the type has for the relation, beside those of its properties. */
  readonly pathColumns?: readonly PathColumn[];
  readonly joinTable?: JoinTable;
}

/** What a navigation property is called in messages. */
export function label({ name: owner }: BuiltType, { name }: NavigationProperty): string {
  return `${owner}/${name}`;
}

/** Whether the other records cannot be without one of this type, and go with it. */
export function ownsOf({ property }: Ends, isRequired: boolean): Pick<Navigation, 'owns'> {
  return isRequired && property.onDelete?.action === 'Cascade' ? { owns: true } : {};
}

/** What becomes of the property, or of the record, once the record behind it is deleted. */
export function fateOf(onDelete: Relation['onDelete']): Pick<Navigation, 'setsNull' | 'goesAlong'> {
  if (onDelete === 'cascade') return { goesAlong: true };
  return onDelete === 'set null' ? { setsNull: true } : {};
}

/** What becomes of another record that leads to the same one, where the partner leads back to one record only. */
export function soleOf({ property, inverse }: Ends, mayBeNull: boolean): Pick<Navigation, 'sole'> {
  if (inverse === undefined || inverse.collection || inverse.containsTarget || property.containsTarget) return {};
  return { sole: mayBeNull ? 'frees' : 'refuses' };
}
