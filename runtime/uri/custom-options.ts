import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { type SampleNames, withNames } from '../errors/sample-names.js';
import { excerpt, suggestion } from '../errors/suggest.js';
import { customOptionHint } from './option-names.js';
import type { RawOption } from './query-options.js';

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

function customOptions(
  raw: readonly RawOption[],
  { parameters, properties, names }: Known,
): readonly { readonly hint: string; readonly error: ODataError }[] {
  const custom = raw.filter(({ name }) => !/^[$@]/.test(name) && !parameters.has(name));
  return custom.map(({ name }) => {
    const property = properties().find((each) => each.toLowerCase() === name.toLowerCase());
    const written = property === undefined ? '' : ` Write $filter=${property} eq ...`;
    const hint = written || suggestion(name, parameters) || withNames(customOptionHint(name), names);
    return { hint, error: errors.badOption(`There is no query option ${excerpt(name)}.${hint}`).at(excerpt(name)) };
  });
}
