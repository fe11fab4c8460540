import { errors } from '../errors/catalogue.js';
import type { RawOption } from '../uri/query-options.js';
import { remembered } from './remembered.js';

/** The preferences that this service carries out (protocol 8.2.8), each with the words that say so in Preference-Applied. */
export interface Preferences {
  readonly return?: 'representation' | 'minimal';
  readonly maxPageSize?: { readonly size: number; readonly name: string };
  readonly omitValues?: { readonly values: 'nulls' | 'defaults'; readonly name: string };
  /** Of a batch: whether what follows a failure is still carried out. */
  readonly continueOnError?: boolean;
  /** `handling=strict` (RFC 7240, 4.4): nothing that has no effect is passed over. */
  readonly strict?: true;
}

const none: Preferences = {};

/** Reads a Prefer header, with and without the `odata.` of 4.0; what is not understood is ignored, as it must be. */
export function parsePrefer(header: string | undefined): Preferences {
  return header === undefined ? none : parseHeader(header);
}

const parseHeader = remembered((header: string): Preferences => {
  const sent = new Map<string, Sent>();
  for (const preference of readPreferences(header)) {
    // Of a preference that is given twice the first one counts (RFC 7240, 2).
    const name = preference.name.replace(/^odata\./, '');
    if (!sent.has(name)) sent.set(name, preference);
  }
  return { ...returnOf(sent), ...pageSizeOf(sent), ...omitValuesOf(sent), ...continueOf(sent), ...(sent.get('handling')?.value === 'strict' && { strict: true }) };
});

/** The Preference-Applied header of an answer, where there is something to say. */
export function preferencesApplied(applied: readonly (string | undefined)[]): Readonly<Record<string, string>> {
  const words = applied.filter((word) => word !== undefined);
  return words.length === 0 ? {} : { 'Preference-Applied': words.join(', ') };
}

/** The words for an omission of values, in the spelling that was sent. */
export function omissionApplied({ omitValues }: Preferences): string | undefined {
  return omitValues && `${omitValues.name}=${omitValues.values}`;
}

/** Refuses options that mean nothing to this service, which a strict client would rather know of. */
export function requireMeaningfulOptions(raw: readonly RawOption[], { strict }: Preferences, parameters: ReadonlySet<string> = new Set()): void {
  const unknown = strict && raw.find(({ name }) => !/^[$@]/.test(name) && !parameters.has(name));
  if (unknown) throw errors.badOption(`${unknown.name.slice(0, 64)} is no option of this service, and handling=strict was preferred.`).at(unknown.name.slice(0, 64));
}

interface Sent {
  readonly name: string;
  readonly value: string | undefined;
}

type SentPreferences = ReadonlyMap<string, Sent>;

const preferencePattern = /([^\s=;,"]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;,"]*)))?(?:\s*;[^,"]*(?:"[^"]*"[^,"]*)*)?/g;

function readPreferences(header: string): readonly Sent[] {
  return [...header.matchAll(preferencePattern)].map(([, name = '', quoted, plain]) => ({ name: name.toLowerCase(), value: (quoted ?? plain)?.toLowerCase() }));
}

function returnOf(sent: SentPreferences): Preferences {
  const value = sent.get('return')?.value;
  return value === 'representation' || value === 'minimal' ? { return: value } : none;
}

function pageSizeOf(sent: SentPreferences): Preferences {
  const preference = sent.get('maxpagesize');
  const size = Number(preference?.value ?? '');
  return preference && Number.isSafeInteger(size) && size > 0 ? { maxPageSize: { size, name: preference.name } } : none;
}

function omitValuesOf(sent: SentPreferences): Preferences {
  const preference = sent.get('omit-values');
  const values = preference?.value;
  return preference && (values === 'nulls' || values === 'defaults') ? { omitValues: { values, name: preference.name } } : none;
}

// Without a value it means true.
function continueOf(sent: SentPreferences): Preferences {
  const preference = sent.get('continue-on-error');
  return preference === undefined ? none : { continueOnError: preference.value !== 'false' };
}
