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
    | 'symmetric'
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
  if (inverse === undefined || inverse === property || inverse.collection || inverse.containsTarget || property.containsTarget) return {};
  return { sole: mayBeNull ? 'frees' : 'refuses' };
}

/** Whether a navigation property to one record is its own partner: at two places of one type it leads from one to the other, and back. */
export function isOwnPartner({ property, inverse, suffixes: [own, other] }: Ends): boolean {
  return !property.collection && inverse?.at === property.at && own === other;
}

/** Why a property that is its own partner leads nowhere back; undefined where it does. `isFixed` says that what tells where it leads cannot change. */
export function lonely({ property, target }: Ends, isFixed: boolean): string | undefined {
  // Of two new records one would have to know the other before that is there.
  if (isFixed)
    return 'is the property itself, and its ReferentialConstraint names a part of the key, or of a complex value, so that none could be the first; without the constraint the service keeps where it leads';
  // Only the type that declares it is sure to have it, and nobody else may be led back to (CSDL XML 4.01, 8.3).
  if (!target.ownNavigation.some(({ at }) => at === property.at))
    return `is the property itself, and leads to ${target.name} only, where a partner leads back to the type that declares the property, or to one that it derives from (CSDL 4.01, 8.3)`;
  return undefined;
}
