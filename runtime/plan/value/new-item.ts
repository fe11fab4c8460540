/** An item that a POST adds to a collection of values, beside which the stored items stay. */
export interface NewItem {
  /** The property of the record that the collection is, or lies in. */
  readonly root: string;
  /** The path to the collection: `Tags`, `Address/Lines`. */
  readonly path: string;
  readonly place: number;
}
