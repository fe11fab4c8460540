import { ConfigError } from '../../config/config.js';
import { suggestion } from '../../errors/suggest.js';

/** The error for a command line without an action, or with one that the command does not have. */
export function unknownAction(command: string, action: string | undefined, known: readonly string[]): ConfigError {
  const names = known.join(', ').replace(/, (\w+)$/, ' or $1');
  if (action === undefined) return new ConfigError(`${command}: name an action: ${names}.`);
  return new ConfigError(`${command} has no '${action}'.${suggestion(action, known) || ` Write ${names}.`}`);
}
