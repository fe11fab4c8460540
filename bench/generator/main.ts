import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepResults } from '../run/keep-results.js';
import type { Measured } from './measured-run.js';
import { figuresOf, growthLines, growthOf, head, isWithin, lineOf, type Figures } from './report.js';
import { runStep, stepsFor } from './steps.js';

const help = `npm run bench:generator: measures what \`gable generate\` takes, each run in a process and a folder of its own.

Usage: npm run bench:generator -- [DOCUMENT] [--rounds N]

  DOCUMENT    a CSDL document in XML to measure with; a made one of the size of RESO's Data Dictionary when left out
  --rounds N  runs of each step, 3 unless given; their medians are shown

Exit codes: 0 within all targets, 1 beyond one, 2 what was typed cannot be meant
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const {
    values,
    positionals: [document],
  } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' }, rounds: { type: 'string', default: '3' } } });
  if (values.help) return say(help, 0);
  if (!/^[1-9]\d?$/.test(values.rounds)) return say(`--rounds must be a number from 1 to 99; it is '${values.rounds}'.\n`, 2);
  if (document !== undefined && !existsSync(document)) return say(`There is no document ${document}.\n`, 2);
  return measure(document === undefined ? undefined : resolve(document), Number(values.rounds));
}

async function measure(document: string | undefined, rounds: number): Promise<number> {
  process.stdout.write(head);
  const figures: Figures[] = [];
  for (const step of stepsFor(document)) {
    const runs: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) runs.push(await runStep(step));
    const figure = figuresOf(step, runs);
    figures.push(figure);
    process.stdout.write(lineOf(figure));
  }
  const growth = growthOf(figures);
  process.stdout.write(growthLines(growth, figures));
  process.stdout.write(`kept in ${keepResults('generator-', { document: document && basename(document), rounds, figures, growth })}\n`);
  return isWithin(growth, figures) ? 0 : 1;
}

function say(text: string, exitCode: number): number {
  (exitCode === 0 ? process.stdout : process.stderr).write(text);
  return exitCode;
}
