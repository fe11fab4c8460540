import type { Row } from './state.js';

/** Whether rows are groups with a number each: no keys, a few texts, and a number. */
export function canBar(rows: readonly Row[]): boolean {
  return rows.length > 1 && rows.length <= 200 && numberOf(rows) !== undefined && labelOf(rows) !== undefined && widthOf(rows) <= 4;
}

function namesOf([first = {}]: readonly Row[]): readonly string[] {
  return Object.keys(first).filter((name) => !name.startsWith('@') && !name.includes('@'));
}

function widthOf(rows: readonly Row[]): number {
  return namesOf(rows).length;
}

function numberOf(rows: readonly Row[]): string | undefined {
  return namesOf(rows).findLast((name) => rows.every((row) => typeof row[name] === 'number' || row[name] === null));
}

function labelOf(rows: readonly Row[]): string | undefined {
  return namesOf(rows).find((name) => name !== numberOf(rows));
}

/** A bar for each row, drawn as SVG. */
export function Bars({ rows }: { readonly rows: readonly Row[] }) {
  const [number = '', label = ''] = [numberOf(rows), labelOf(rows)];
  const most = Math.max(...rows.map((row) => Math.abs(Number(row[number] ?? 0))), 1e-9);
  return (
    <table class="bars" aria-label={`${number} by ${label}`}>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <th scope="row">{row[label] === null ? 'null' : String(row[label])}</th>
            <td>
              <svg width="100%" height="16" aria-hidden="true">
                <rect width={`${(Math.abs(Number(row[number] ?? 0)) / most) * 100}%`} height="16" rx="2" />
              </svg>
            </td>
            <td class="number">{row[number] === null ? 'null' : String(row[number])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
