/** One navigation property: where it leads and by which columns. */
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
  /** Of many records to many: the table that joins them, in place of columns of their own. */
  readonly through?: JoinTable;
  /** The properties within complex values that say where it leads; it is they that are written. */
  readonly follows?: readonly string[];
  /** A record leads somewhere at any time, by an internal column. */
  readonly required?: true;
  /** It leads nowhere once the other record has gone, and holds up nothing then. */
  readonly setsNull?: true;
  /** The record goes when the one behind it goes: the way back has OnDelete Cascade. */
  readonly goesAlong?: true;
  /** No two records lead to the same one, since what leads back leads to one record: the other one lets go, or cannot be without and refuses. */
  readonly sole?: 'frees' | 'refuses';
  /** What it leads to is deleted with the record: Rules.DeletesTarget. */
  readonly deletesTarget?: true;
  /** Records behind it cannot be without this one, and go when it goes: a required partner with OnDelete Cascade. */
  readonly owns?: true;
  readonly expandable?: false;
  /** The records belong to this one: they are addressed beneath it, and go with it. */
  readonly contains?: true;
  /** It leads back to the record that contains this one, which stays the same. */
  readonly container?: true;
  /** The property itself, where a request has given it another name. */
  readonly source?: string;
}

/** A table whose rows relate records of two tables; its columns hold their numbers. */
export interface JoinTable {
  readonly table: string;
  readonly own: string;
  readonly other: string;
  /** The column that has a record's number, where a request has given it another name than `#id`. */
  readonly number?: string;
}

/** Navigation properties by name. */
export type NavigationTable = { readonly [name: string]: Navigation };
