import { nearestOf, suggestion } from '../../errors/suggest.js';
import { ConfigError } from '../../config/config.js';

/** Node's messages about a command line, and ours: the option, and its expected value. */
const mistakes: readonly {
  readonly code: string;
  readonly pattern: RegExp;
  readonly explain: (found: string, known: readonly string[]) => string;
}[] = [
  {
    code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION',
    pattern: /'(-[^']*)'/,
    explain: (option, known) => `unknown option ${option}${nearest(option, known)}`,
  },
  {
    code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE',
    pattern: /'([^' ]+)[^']*' (?:argument missing|argument is ambiguous)/,
    explain: (option) => `${option.replace(/^.*, /, '')} needs a value, as in ${option.replace(/^.*, /, '')}=VALUE`,
  },
  {
    code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE',
    pattern: /'([^' ]+)[^']*' does not take an argument/,
    explain: (option) => `${option} takes no value`,
  },
  { code: 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', pattern: /'([^']*)'/, explain: (word) => `unexpected argument '${word}'` },
];

/** The fault of a command line, in one line; undefined for another kind of failure. The help lists the options. */
export function usageMistake(failure: unknown, help: string): string | undefined {
  const { code, message = '' } = failure as Partial<NodeJS.ErrnoException>;
  if (code === undefined || !code.startsWith('ERR_PARSE_ARGS')) return undefined;
  const known = [...new Set(['--help', ...[...help.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([option]) => option)])];
  for (const { code: wanted, pattern, explain } of mistakes) {
    const [, found] = (code === wanted && pattern.exec(message)) || [];
    if (found !== undefined) return explain(found, known);
  }
  return message.split('\n')[0];
}

function nearest(option: string, known: readonly string[]): string {
  const found = nearestOf(option, known) ?? (option.length > 3 ? known.find((name) => name.startsWith(option)) : undefined);
  return found === undefined ? '' : `; did you mean ${found}?`;
}

/** The error for a command line without an action, or with one that the command does not have. */
export function unknownAction(command: string, action: string | undefined, known: readonly string[]): ConfigError {
  const names = known.join(', ').replace(/, (\w+)$/, ' or $1');
  if (action === undefined) return new ConfigError(`${command}: name an action: ${names}.`);
  return new ConfigError(`${command} has no '${action}'.${suggestion(action, known) || ` Write ${names}.`}`);
}
