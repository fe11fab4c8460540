import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { suggestion } from '../errors/suggest.js';
import { excerpt } from '../expression/quote.js';

/** Options that this service offers, without `$`. */
export const offeredOptions = ['filter', 'expand', 'select', 'orderby', 'top', 'skip', 'count', 'skiptoken', 'format'] as const;

/** The name of an offered option, in lower case and without `$`. */
export type OptionName = (typeof offeredOptions)[number];

/** Options that OData defines and this service does not offer yet: 501, not "unknown". */
const otherOptions: ReadonlySet<string> = new Set(['apply', 'compute', 'search', 'levels', 'index', 'schemaversion', 'deltatoken', 'id']);

/** The option that a name stands for: with or without `$`, in any case of letters (protocol 4.01, 11.2.1); undefined for a custom one. */
export function systemOption(name: string, target = name): OptionName | undefined {
  const bare = name.replace(/^\$/, '').toLowerCase();
  if (isOffered(bare)) return bare;
  if (otherOptions.has(bare)) throw errors.notImplemented(`The option $${bare}`).at(`$${bare}`);
  if (name.startsWith('$')) throw unknownOption(name).at(excerpt(target));
  if (name.startsWith('@')) throw errors.notImplemented(`The parameter alias ${excerpt(name)}`).at(excerpt(target));
  return undefined;
}

/** The error for a name that no option has. */
export function unknownOption(name: string): ODataError {
  const hint = suggestion(name, offeredOptions.map((offered) => `$${offered}`));
  return errors.badOption(`There is no query option ${excerpt(name)}.${hint}`);
}

function isOffered(name: string): name is OptionName {
  return (offeredOptions as readonly string[]).includes(name);
}
