import { createInterface } from 'node:readline/promises';
import type { Problem } from '../migrate/step.js';
import type { MigrationChoice } from './migration-options.js';

/** Whether there are questions, and a terminal to ask them on. */
export function isAtTerminal(problems: readonly Problem[]): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && problems.some(({ kind }) => kind === 'rename');
}

/** Asks the person at the terminal. */
export async function askAtTerminal(problems: readonly Problem[], choice: MigrationChoice): Promise<MigrationChoice | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await askRenames(problems, choice, (question) => terminal.question(question));
  } finally {
    terminal.close();
  }
}

/** Asks whether each suspected rename is one; `undefined` where there is none, or one was left open. */
export async function askRenames(
  problems: readonly Problem[],
  choice: MigrationChoice,
  ask: (question: string) => Promise<string>,
): Promise<MigrationChoice | undefined> {
  const open = problems.filter(({ kind }) => kind === 'rename');
  if (open.length === 0) return undefined;
  const renamed = new Map(choice.decisions.renamed);
  const dropped = new Set(choice.decisions.dropped);
  for (const { table, column, candidate } of open) {
    const path = pathOf({ table, column });
    const answer = await ask(
      `${path} is missing and ${candidate} is new. Was it renamed? (y: keep its values, d: drop them, other: stop) `,
    );
    if (/^y/i.test(answer)) renamed.set(path, candidate ?? '');
    else if (/^d/i.test(answer)) dropped.add(path);
  }
  const isDecided = open.every((problem) => renamed.has(pathOf(problem)) || dropped.has(pathOf(problem)));
  return isDecided ? { ...choice, decisions: { ...choice.decisions, renamed, dropped } } : undefined;
}

function pathOf({ table, column }: Pick<Problem, 'table' | 'column'>): string {
  return column === undefined ? table : `${table}/${column}`;
}
