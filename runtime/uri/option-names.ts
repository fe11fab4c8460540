import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { suggestion } from '../errors/suggest.js';
import { excerpt } from '../expression/quote.js';
import { optionHint } from './mistaken-options.js';

/** Every system query option of OData 4.01, without `$`. */
const optionNames = [
  'filter',
  'expand',
  'select',
  'orderby',
  'top',
  'skip',
  'count',
  'skiptoken',
  'format',
  'apply',
  'compute',
  'search',
  'levels',
  'index',
  'schemaversion',
  'deltatoken',
  'id',
] as const;

/** The name of a system query option, in lower case and without `$`. */
export type OptionName = (typeof optionNames)[number];

/**
 * The system query option with the name, with or without `$`, in any case (protocol 4.01, 11.2.1); undefined for a
 * custom option.
 */
export function systemOption(name: string, target = name): OptionName | undefined {
  const bare = name.replace(/^\$/, '').toLowerCase();
  if (isOptionName(bare)) return bare;
  if (name.startsWith('$')) throw unknownOption(name).at(excerpt(target));
  return undefined;
}

/**
 * Whether a name is that of a parameter alias; any other name that begins with `@` is rejected (ABNF rule
 * parameterAlias).
 */
export function isAliasName(name: string, target = name): boolean {
  if (!name.startsWith('@')) return false;
  if (/^@[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]{0,127}$/u.test(name)) return true;
  throw errors.badOption(`${excerpt(name)} is not a parameter alias; write @name=...`).at(excerpt(target));
}

/** The error for an unknown option. */
export function unknownOption(name: string): ODataError {
  const hint =
    optionHint(name) ||
    suggestion(
      name,
      optionNames.map((known) => `$${known}`),
    );
  return errors.badOption(`There is no query option ${excerpt(name)}.${hint}`);
}

function isOptionName(name: string): name is OptionName {
  return (optionNames as readonly string[]).includes(name);
}
