import { errors } from '../errors/catalogue.js';
import { uriLimits } from './limits.js';
import { decodeQueryText } from './percent-decode.js';

/** One option of a query string, percent-decoded; `text` is what stands between two `&`. */
export interface SplitOption {
  readonly name: string;
  readonly value: string | undefined;
  readonly text: string;
}

/** The options of a query string as it stands in the URL, behind the question mark. */
export function splitOptions(rawQuery: string): readonly SplitOption[] {
  return optionTexts(rawQuery).map(splitOption);
}

/** What stands between the `&` of a query string, where there is something. */
export function optionTexts(rawQuery: string): readonly string[] {
  if (rawQuery === '') return [];
  const texts = rawQuery.split('&').filter((text) => text !== '');
  if (texts.length > uriLimits.options) throw errors.limitExceeded(`The query string has more than ${uriLimits.options} options.`);
  return texts;
}

/** One of them: the first equals sign separates; a name may be percent-encoded as well (%24filter). */
export function splitOption(text: string): SplitOption {
  const equals = text.indexOf('=');
  const name = decodeQueryText(equals < 0 ? text : text.slice(0, equals), 'query string');
  return { name, value: equals < 0 ? undefined : decodeQueryText(text.slice(equals + 1), 'query string'), text };
}
