import { cellText, type Row, type RowBytes } from '../sql/statement.js';

/** Takes rows as texts. */
export function textsInto(rows: Row[]): (row: RowBytes) => undefined {
  return (row) => void rows.push(Array.from(row.starts, (_, index) => cellText(row, index)));
}
