import { parseArgs } from 'node:util';
import { documentedErrors } from '../../runtime/errors/documentation.js';
import { renderError } from '../../runtime/errors/odata-error.js';
import { withNames } from '../../runtime/errors/sample-names.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import { faultExamples } from '../fault-examples.js';
import { faults } from '../faults.js';
import { recoveries, severityOf, strictPolicy } from '../policy.js';

/** The help text of `gable explain`. */
export const help = `gable explain: explains the code of an error, with an example and its fix.

Usage: gable explain CODE [--json]
       gable explain --list [--json]

  CODE    of a model's fault, such as CSDL027, or of an error of the service, such as 1041
  --list  print one line for each code
  --json  print JSON instead of text

Exit codes: 0 explained, 1 internal error, 2 there is no such code

Examples:
  gable explain CSDL027
  gable explain 1041 --json
`;

interface Explanation {
  readonly code: string;
  /** Its severity or HTTP status. */
  readonly kind: string;
  /** In messages of a model's faults, dots stand for names. */
  readonly meaning: string;
  readonly example?: string;
  readonly fix: string;
  /** The effect of lenient mode. */
  readonly lenient?: string;
}

/** Prints the explanation of a code, or all codes. */
export function run(args: readonly string[]): Promise<number> {
  const {
    values: { list, json },
    positionals: [code, second],
  } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  if (list === (code !== undefined) || second !== undefined) return refuse('name one code, such as gable explain CSDL027, or --list.');
  const wanted = code?.toUpperCase();
  const found = explanations().filter((one) => list || one.code === wanted);
  if (found.length === 0)
    return refuse(
      `there is no code ${code}.${suggestion(
        wanted ?? '',
        explanations().map((one) => one.code),
      )}`,
    );
  process.stdout.write(json ? `${JSON.stringify(list ? found : found[0], null, 2)}\n` : found.map(list ? printLine : printWhole).join(''));
  return Promise.resolve(0);
}

function refuse(why: string): Promise<number> {
  process.stderr.write(`gable explain: ${why}\n`);
  return Promise.resolve(2);
}

/** Every fault of a model and every error of the service. */
function explanations(): readonly Explanation[] {
  return [...faultExplanations(), ...errorExplanations()];
}

function faultExplanations(): readonly Explanation[] {
  return Object.values(faults)
    .map((make) => make(0, '...', '...', '...', '...'))
    .map(({ code, message, hint }) => {
      const example = faultExamples[code];
      const lenient = recoveries.get(code);
      return {
        code,
        kind: severityOf(code, strictPolicy) ?? 'off in strict mode',
        meaning: meaningOf(message, example?.message),
        ...(example && { example: [...(example.source === '' ? [] : [example.source]), `${example.message}.`].join('\n') }),
        fix: capitalized(example?.fix ?? hint),
        ...(lenient !== undefined && { lenient }),
      };
    })
    .sort((one, other) => one.code.localeCompare(other.code, 'en'));
}

// A message that consists of names and reasons means what its example says.
function meaningOf(message: string, example: string | undefined): string {
  return /[a-z]/i.test(message) || example === undefined ? message.replace(/\.{4}$/, '...') : `${example}.`;
}

function errorExplanations(): readonly Explanation[] {
  return documentedErrors.map(({ code, statuses, meaning, remedy, example }) => ({
    code,
    kind: `HTTP ${statuses.join(', ')}`,
    meaning,
    example: withNames(renderError(example, { requestId: '...' })),
    fix: remedy,
  }));
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function printLine({ code, kind, meaning }: Explanation): string {
  return `${code.padEnd(7)}  ${kind.padEnd(18)}  ${meaning}\n`;
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
