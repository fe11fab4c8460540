import { createInterface } from 'node:readline/promises';
import type { Problem } from '../migrate/step.js';
import type { MigrationChoice } from './migration-options.js';

/** Asks of each rename that is suspected whether it is one; `undefined` where nobody can be asked or nothing was decided. */
export async function askRenames(problems: readonly Problem[], choice: MigrationChoice): Promise<MigrationChoice | undefined> {
  const open = problems.filter(({ kind }) => kind === 'rename');
  if (open.length === 0 || !process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const renamed = new Map(choice.decisions.renamed);
  const dropped = new Set(choice.decisions.dropped);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  for (const { table, column, candidate } of open) {
    const path = column === undefined ? table : `${table}/${column}`;
    const answer = await terminal.question(`${path} is gone and ${candidate} is new. Was it renamed? (y: keep its values, d: drop them, else: stop) `);
    if (/^y/i.test(answer)) renamed.set(path, candidate ?? '');
    else if (/^d/i.test(answer)) dropped.add(path);
  }
  terminal.close();
  const isDecided = open.every(({ table, column }) => renamed.has(column === undefined ? table : `${table}/${column}`) || dropped.has(column === undefined ? table : `${table}/${column}`));
  return isDecided ? { ...choice, decisions: { ...choice.decisions, renamed, dropped } } : undefined;
}
