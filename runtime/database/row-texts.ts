import { cellText, type Row, type RowBytes } from '../sql/statement.js';

/** Collects rows as texts. */
export function textsInto(rows: Row[]): (row: RowBytes) => undefined {
  return (row) => {
    const texts: (string | null)[] = [];
    for (let index = 0; index < row.starts.length; index++) texts.push(cellText(row, index));
    rows.push(texts);
  };
}
