/** A navigation property: its target and its join. */
export interface Navigation {
  /** Name of the target entity type in the container. */
  readonly target: string;
  readonly collection?: true;
  /** Own column to the target's column. `#id` and `#<Navigation>` are internal columns. */
  readonly join: { readonly [ownColumn: string]: string };
  /** Own columns that columns of the target mirror, and which these follow. */
  readonly mirroredBy?: { readonly [ownColumn: string]: string };
  /** Own columns that mirror the target's key, where `#id` joins the two. */
  readonly mirrors?: { readonly [ownColumn: string]: string };
  /** Of many-to-many relations: the join table, in place of own columns. */
  readonly through?: JoinTable;
  /** The nested properties that determine the target, and are written instead. */
  readonly follows?: readonly string[];
  /** Whether it always has a target, through an internal column. */
  readonly required?: true;
  /** Whether it becomes null when the target is deleted, so that it does not prevent the deletion. */
  readonly setsNull?: true;
  /** Whether the entity is deleted with the target: the partner has OnDelete Cascade. */
  readonly cascades?: true;
  /**
   * Whether the target permits one entity only, since the partner is single-valued: another one's reference is cleared,
   * or the write is rejected if that is required.
   */
  readonly sole?: 'frees' | 'refuses';
  /** Whether deleting the entity deletes the target: Rules.DeletesTarget. */
  readonly deletesTarget?: true;
  /** Whether the targets require this entity, and are deleted with it: a required partner with OnDelete Cascade. */
  readonly owns?: true;
  readonly expandable?: false;
  /** Whether entities are created along it, where NavigationRestrictions say so and not the set of the target. */
  readonly insertable?: boolean;
  /** The records belong to this one: they are addressed beneath it, and go with it. */
  readonly contains?: true;
  /** Whether it is the back-reference to the containing entity, which never changes. */
  readonly container?: true;
  /** The property itself, where a request has given it another name. */
  readonly source?: string;
}

/** A join table, whose columns reference ids. */
export interface JoinTable {
  readonly table: string;
  readonly own: string;
  readonly other: string;
  /** The column that has a record's number, where a request has given it another name than `#id`. */
  readonly number?: string;
}

/** Navigation properties by name. */
export type NavigationTable = { readonly [name: string]: Navigation };
