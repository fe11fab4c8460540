import { parseArgs } from 'node:util';
import { suggestion } from '../../runtime/errors/suggest.js';
import { UsageError } from '../config/config.js';
import { type Explanation, explanations } from '../explanations.js';
import { exitCodes } from './exit-codes.js';

/** The help text of `gable explain`. */
export const help = `gable explain: explains the code of an error, with an example and its fix.

Usage: gable explain CODE [--json]
       gable explain --list [--json]

  CODE    of a fault of a model (CSDL027), of a question or refusal of migrations (MIGR001), of a change that gable diff
          lists (property-removed), or of an error of the service (1041)
  --list  print one line for each code
  --json  print JSON instead of text

Exit codes: 0 explained, 1 internal error, 2 there is no such code

Examples:
  gable explain CSDL027
  gable explain property-removed
  gable explain 1041 --json
`;

/** Prints the explanation of a code, or all codes. */
export async function run(args: readonly string[]): Promise<number> {
  const {
    values: { list, json },
    positionals: [code, second],
  } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  if (list === (code !== undefined) || second !== undefined)
    throw new UsageError('Name one code, such as gable explain CSDL027, or --list.');
  const wanted = code?.toLowerCase();
  const found = explanations().filter((one) => list || one.code.toLowerCase() === wanted);
  if (found.length === 0) throw new UsageError(`There is no code ${code}.${nearest(code ?? '')}`);
  process.stdout.write(json ? `${JSON.stringify(list ? found : found[0], null, 2)}\n` : found.map(list ? printLine : printWhole).join(''));
  return exitCodes.ok;
}

// Names of changes are written in lower case, other codes in capitals.
function nearest(code: string): string {
  const codes = explanations().map((one) => one.code);
  return suggestion(code.toUpperCase(), codes) || suggestion(code.toLowerCase(), codes);
}

function printLine({ code, kind, meaning }: Explanation): string {
  return `${code.padEnd(27)}  ${kind.padEnd(18)}  ${meaning}\n`;
}

function printWhole({ code, kind, meaning, example, fix, lenient }: Explanation): string {
  const parts = [
    `${code} (${kind}): ${meaning}`,
    ...(example === undefined ? [] : [`Example:\n\n${example.replace(/^/gm, '  ')}`]),
    `Fix: ${fix}`,
    ...(lenient === undefined ? [] : [`With --lenient: ${lenient}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}
