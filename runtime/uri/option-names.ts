import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { excerpt, suggestion } from '../errors/suggest.js';
import { isIdentifier } from '../edm/identifier.js';
import { type SampleNames, withNames } from '../errors/sample-names.js';
import type { RawOption } from './query-options.js';

// oxfmt-ignore
/** Every system query option of OData 4.01, without `$`. */
const optionNames = [
  'filter', 'expand', 'select', 'orderby', 'top', 'skip', 'count', 'skiptoken', 'format', 'apply', 'compute', 'search', 'levels',
  'index', 'schemaversion', 'deltatoken', 'id',
] as const;

const namedOptions: ReadonlyMap<string, OptionName> = new Map(optionNames.map((name) => [name, name]));

/** The name of a system query option, in lower case and without `$`. */
export type OptionName = (typeof optionNames)[number];

/** The system query option with the name, with or without `$`, in any case (protocol 4.01, 11.2.1); undefined for a custom option. */
export function systemOption(name: string, target = name): OptionName | undefined {
  const bare = name.replace(/^\$/, '').toLowerCase();
  const known = namedOptions.get(bare);
  if (known !== undefined) return known;
  if (name.startsWith('$')) throw unknownOption(name).at(excerpt(target));
  return undefined;
}

/** Whether a name is that of a parameter alias; any other name that begins with `@` is rejected (ABNF rule parameterAlias). */
export function isAliasName(name: string, target = name): boolean {
  if (!name.startsWith('@')) return false;
  if (isIdentifier(name.slice(1))) return true;
  throw errors.badOption(`${excerpt(name)} is not a parameter alias; write @name=...`).at(excerpt(target));
}

/** The error for an unknown option. */
export function unknownOption(name: string): ODataError {
  return errors.badOption(`There is no query option ${excerpt(name)}.${hintFor(name)}`);
}

/** The option that may be meant by a custom one, as the end of a message; names of a letter or two are not taken for misspelt ones. */
function customOptionHint(name: string): string {
  return name.length < 3 ? optionHint(`$${name}`) : hintFor(`$${name}`);
}

function hintFor(name: string): string {
  const known = optionNames.map((each) => `$${each}`);
  return optionHint(name) || suggestion(name, known);
}

/** Options of other interfaces and of older OData, in lower case, with their OData 4.01 replacement. */
const options: ReadonlyMap<string, string> = new Map([
  ['$metadata', '/$metadata after the service root'],
  ['$batch', '/$batch after the service root'],
  ['$value', '/$value at the end of the path'],
  ['$ref', '/$ref at the end of the path'],
  ['$inlinecount', '$count=true'],
  ['$where', `$filter=‹text› eq 'x'`],
  ['$query', `$filter=‹text› eq 'x', or $search=word`],
  ['$q', '$search=word'],
  ['$sort', '$orderby=‹text› desc'],
  ['$sortby', '$orderby=‹text› desc'],
  ['$order', '$orderby=‹text› desc'],
  ['$limit', '$top=10'],
  ['$take', '$top=10'],
  ['$pagesize', '$top=10, and follow @odata.nextLink'],
  ['$page', '$top=10, and follow @odata.nextLink'],
  ['$offset', '$skip=10'],
  ['$fields', '$select=‹text›,‹number›'],
  ['$columns', '$select=‹text›,‹number›'],
  ['$include', '$expand=‹related›'],
  ['$join', '$expand=‹related›'],
  ['$group', '$apply=groupby((‹text›),aggregate($count as Many))'],
  ['$groupby', '$apply=groupby((‹text›),aggregate($count as Many))'],
  ['$aggregate', '$apply=aggregate(‹number› with sum as Total)'],
  ['$having', '$filter=Many gt 1 after $apply=groupby((‹text›),aggregate($count as Many))'],
  ['$sum', '$apply=aggregate(‹number› with sum as Total)'],
  ['$avg', '$apply=aggregate(‹number› with average as Mean)'],
  ['$sample', '$top=10; there is no random selection'],
  ['$distinct', '$apply=groupby((‹text›))'],
]);

/** The replacement of an option that OData does not have, as the end of a message. */
function optionHint(name: string): string {
  const form = options.get(name.toLowerCase());
  return form === undefined ? '' : ` Write ${form}.`;
}

/** The surroundings of a request's custom options. */
interface Known {
  /** Names that an operation gives a meaning. */
  readonly parameters: ReadonlySet<string>;
  /** The properties of the requested records. */
  readonly properties: () => readonly string[];
  readonly names: () => Partial<SampleNames>;
}

/** Rejects custom options, for strict handling. */
export function requireNoCustomOption(raw: readonly RawOption[], known: Known): void {
  const [first] = customOptions(raw, known);
  if (first) throw first.error;
}

/** Errors for custom options that seem to be meant as options of OData; the service ignores them (protocol 6.1). */
export function doubtfulOptions(raw: readonly RawOption[], known: Known): readonly ODataError[] {
  return customOptions(raw, known).flatMap(({ hint, error }) => (hint === '' ? [] : [error]));
}

function customOptions(raw: readonly RawOption[], known: Known): readonly { readonly hint: string; readonly error: ODataError }[] {
  const { parameters, properties, names } = known;
  const custom = raw.filter(({ name }) => !/^[$@]/.test(name) && !parameters.has(name));
  return custom.map(({ name }) => {
    const property = properties().find((each) => each.toLowerCase() === name.toLowerCase());
    const written = property === undefined ? '' : ` Write $filter=${property} eq ...`;
    const hint = written || suggestion(name, parameters) || withNames(customOptionHint(name), names);
    return { hint, error: errors.badOption(`There is no query option ${excerpt(name)}.${hint}`).at(excerpt(name)) };
  });
}
