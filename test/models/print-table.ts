import { basename } from 'node:path';
import { steps, type Examined } from './examine-model.js';
import { setChecks } from './examine-set.js';

/** A row a document: its steps, and of how many sets each check held; beneath it what did not hold. */
export function printTable(results: readonly Examined[]): string {
  const rows = [['document', ...steps, 'sets', ...setChecks, 'seconds'], ...results.map(cellsOf)];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const [head = [], ...bodies] = rows;
  const documents = bodies.map((row, index) =>
    [line(row), ...(results[index]?.failures ?? []).map((failure) => `    ${failure}`)].join('\n'),
  );
  const whole = results.filter(({ failures }) => failures.length === 0).length;
  return `${[line(head), ...documents].join('\n')}\n\n${whole} of ${results.length} documents hold in everything.\n`;
}

function cellsOf({ document, held, sets, verdicts, milliseconds }: Examined): readonly string[] {
  const reached = held.has('start');
  return [
    basename(document),
    ...steps.map((step) => (held.has(step) ? 'yes' : 'no')),
    reached ? String(sets) : '-',
    ...setChecks.map((check) => (reached && verdicts[check].asked > 0 ? `${verdicts[check].held}/${verdicts[check].asked}` : '-')),
    (milliseconds / 1000).toFixed(1),
  ];
}
