import { parseArgs } from 'node:util';

/**
 * An option of a script: its default, which determines its kind (a whole number, a flag, a text), and its description.
 */
interface ScriptOption {
  readonly unless: number | boolean | string;
  readonly says: string;
}

type Values<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly unless: infer Value }
    ? Value extends number
      ? number
      : Value extends boolean
        ? boolean
        : string
    : never;
};

/** A number for whoever names none: another one in every run, printed so that a run can be repeated. */
export const anySeed = {
  unless: Date.now() % 1_000_000_000,
  says: 'where the random numbers begin, another number in every run unless given',
};

/**
 * Reads the command line of `npm run <script>`. A mistake ends the process with 2 and a line that names it, for a script
 * that took a misspelt number for none would check nothing and be content; `--help` ends it with the options.
 */
export function scriptOptions<const Options extends { readonly [name: string]: ScriptOption }>(
  script: string,
  options: Options,
): Values<Options> {
  const found = readScriptOptions(script, options, process.argv.slice(2));
  if ('values' in found) return found.values;
  (found.exitCode === 0 ? process.stdout : process.stderr).write(found.text);
  process.exit(found.exitCode);
}

/** The parsed options, or the exit code. */
export function readScriptOptions<const Options extends { readonly [name: string]: ScriptOption }>(
  script: string,
  options: Options,
  args: readonly string[],
): { readonly values: Values<Options> } | { readonly text: string; readonly exitCode: number } {
  const kinds = Object.entries(options).map(
    ([name, { unless }]) => [name, { type: typeof unless === 'boolean' ? 'boolean' : 'string' }] as const,
  );
  try {
    const { values }: { readonly values: { readonly [name: string]: unknown } } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(kinds), help: { type: 'boolean' } },
    });
    if (values['help'] === true) return { text: helpOf(script, options), exitCode: 0 };
    const read = Object.entries(options).map(([name, { unless }]) => [
      name,
      values[name] === undefined ? unless : valueOf(name, unless, values[name]),
    ]);
    return { values: Object.fromEntries(read) as Values<Options> };
  } catch (failure) {
    return { text: `${(failure as Error).message}\n${helpOf(script, options)}`, exitCode: 2 };
  }
}

function valueOf(name: string, unless: ScriptOption['unless'], given: unknown): unknown {
  if (typeof unless !== 'number') return given;
  const least = Math.min(unless, 1);
  if (typeof given === 'string' && /^\d{1,10}$/.test(given) && Number(given) >= least) return Number(given);
  throw new Error(`--${name} must be a whole number, at least ${least}; it is '${String(given)}'.`);
}

function helpOf(script: string, options: { readonly [name: string]: ScriptOption }): string {
  const heads = Object.entries(options).map(
    ([name, { unless, says }]) =>
      [`--${name}${typeof unless === 'boolean' ? '' : typeof unless === 'number' ? ' N' : ' TEXT'}`, says] as const,
  );
  const width = Math.max(...heads.map(([head]) => head.length));
  return `Usage: npm run ${script} -- [options]\n\n${heads.map(([head, says]) => `  ${head.padEnd(width)}  ${says}\n`).join('')}`;
}
