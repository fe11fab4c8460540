import { relative } from 'node:path';
import { suggestion } from '../../runtime/errors/suggest.js';
import { faultCodes } from '../faults.js';
import { recoveries, type Policy } from '../policy.js';
import type { Config, Mode } from './types.js';

/** An error of the user, described in a sentence; the command ends with the given code. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = 2;
}

/** The error for faulty syntax at an offset of a file, in the form that editors and terminals turn into a link. */
export function syntaxError(path: string, text: string, offset: number, message: string): UsageError {
  const before = text.slice(0, offset).split('\n');
  return new UsageError(`${relative(process.cwd(), path)}:${before.length}:${(before.at(-1) ?? '').length + 1} ${message}`);
}

const texts = ['model', 'overlay', 'output'] as const;
const members: readonly string[] = [...texts, 'mode', 'diagnostics'];
const modes: readonly string[] = ['strict', 'lenient'];
const choices: readonly string[] = ['error', 'warn', 'off'];

/** Checks a configuration against its type, which JSON and JavaScript do not. */
export function checkConfig(value: unknown, path: string): Config {
  const refuse = (what: string): never => {
    throw new UsageError(`${path}: ${what}`);
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('the configuration must be an object.');
  for (const [name, given] of Object.entries(value)) {
    if (!members.includes(name)) refuse(`there is no setting ${name}.${suggestion(name, members)}`);
    if ((texts as readonly string[]).includes(name) && typeof given !== 'string') refuse(`${name} must be a path.`);
    if (name === 'mode' && !modes.includes(given as string)) refuse(`mode must be 'strict' or 'lenient', not '${String(given)}'.`);
    if (name === 'diagnostics') checkChoices(given, refuse);
  }
  return value as Config;
}

function checkChoices(value: unknown, refuse: (what: string) => never): void {
  if (typeof value !== 'object' || value === null) return refuse("diagnostics must be an object such as { CSDL027: 'off' }.");
  for (const [code, choice] of Object.entries(value)) {
    if (!/^CSDL\d{3}$/.test(code)) refuse(`diagnostics: '${code}' is not a code such as CSDL027.`);
    if (!faultCodes.has(code)) refuse(`diagnostics: there is no code ${code}.${suggestion(code, recoveries.keys())}`);
    if (!choices.includes(choice as string)) refuse(`diagnostics: ${code} must be 'error', 'warn' or 'off', not '${String(choice)}'.`);
    if (choice !== 'error' && !recoveries.has(code))
      refuse(
        `diagnostics: ${code} cannot be changed, because nothing can be generated after it. These codes can be: ${[...recoveries.keys()].sort().join(', ')}.`,
      );
  }
}

/** The policy of a configuration; the mode of the command line takes precedence. */
export function policyOf({ mode, diagnostics }: Config, chosen: Mode | undefined): Policy {
  return { mode: chosen ?? mode ?? 'strict', choices: diagnostics ?? {} };
}
