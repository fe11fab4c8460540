import { errors } from '../errors/catalogue.js';
import type { RawOption } from '../uri/query-options.js';
import type { ODataResponse } from './message.js';
import { remembered } from '../uri/remembered.js';

/** The preferences that this service applies (protocol 8.2.8), with their text for Preference-Applied. */
export interface Preferences {
  readonly return?: 'representation' | 'minimal';
  readonly maxPageSize?: { readonly size: number; readonly name: string };
  readonly omitValues?: { readonly values: 'nulls' | 'defaults'; readonly name: string };
  /** The annotations to include, by patterns of their terms (protocol 8.2.8.4). */
  readonly annotations?: { readonly patterns: readonly string[]; readonly name: string };
  /** In a batch only: whether requests after a failure are executed. */
  readonly continueOnError?: boolean;
  /** `handling=strict` (RFC 7240, 4.4): options without effect are rejected. */
  readonly strict?: true;
}

const none: Preferences = {};

/** Parses a Prefer header, with and without the `odata.` of 4.0; unknown preferences are ignored, as required. */
export function parsePrefer(header: string | undefined): Preferences {
  return header === undefined ? none : parseHeader(header);
}

const parseHeader = remembered((header: string): Preferences => {
  const sent = new Map<string, Sent>();
  for (const preference of readPreferences(header)) {
    // The first of repeated preferences counts (RFC 7240, 2).
    const name = preference.name.replace(/^odata\./, '');
    if (!sent.has(name)) sent.set(name, preference);
  }
  return {
    ...returnOf(sent),
    ...pageSizeOf(sent),
    ...omitValuesOf(sent),
    ...annotationsOf(sent),
    ...continueOf(sent),
    ...(sent.get('handling')?.value === 'strict' && { strict: true }),
  };
});

/** The Preference-Applied header of an answer; no header for an empty list. */
export function preferencesApplied(applied: readonly (string | undefined)[]): Readonly<Record<string, string>> {
  const words = applied.filter((word) => word !== undefined);
  return words.length === 0 ? {} : { 'Preference-Applied': words.join(', ') };
}

/** Adds the applied `handling=strict` to an answer. */
export function strictly(response: ODataResponse, { strict }: Preferences): ODataResponse {
  if (!strict) return response;
  const { 'Preference-Applied': others } = response.headers;
  return { ...response, headers: { ...response.headers, ...preferencesApplied([others, 'handling=strict']) } };
}

/** The Preference-Applied text for omitted values, in the spelling of the request. */
export function omissionApplied({ omitValues }: Preferences): string | undefined {
  return omitValues && `${omitValues.name}=${omitValues.values}`;
}

/** Whether annotations of a term are included; all are, without a preference. */
export function wantsAnnotation({ annotations }: Preferences, term: string): boolean {
  return annotations === undefined || includesTerm(annotations.patterns, term.toLowerCase());
}

/** The Preference-Applied text for the annotations in an answer; some are included whatever the preference. */
export function annotationsApplied(preferences: Preferences, terms: readonly string[], always: readonly string[] = []): readonly string[] {
  const { annotations } = preferences;
  if (annotations === undefined || terms.length + always.length === 0) return [];
  const shown = [...terms.filter((term) => wantsAnnotation(preferences, term)), ...always];
  return [`${annotations.name}="${shown.length === 0 ? '-*' : shown.join(',')}"`];
}

/** Rejects options without effect, for strict handling. */
export function requireMeaningfulOptions(
  raw: readonly RawOption[],
  { strict }: Preferences,
  parameters: ReadonlySet<string> = new Set(),
): void {
  const unknown = strict && raw.find(({ name }) => !/^[$@]/.test(name) && !parameters.has(name));
  if (unknown)
    throw errors
      .badOption(`This service does not support the preference ${unknown.name.slice(0, 64)}, and the request has handling=strict.`)
      .at(unknown.name.slice(0, 64));
}

interface Sent {
  readonly name: string;
  readonly value: string | undefined;
}

type SentPreferences = ReadonlyMap<string, Sent>;

const preferencePattern = /([^\s=;,"]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;,"]*)))?(?:\s*;[^,"]*(?:"[^"]*"[^,"]*)*)?/g;

function readPreferences(header: string): readonly Sent[] {
  return [...header.matchAll(preferencePattern)].map(([, name = '', quoted, plain]) => ({
    name: name.toLowerCase(),
    value: (quoted ?? plain)?.toLowerCase(),
  }));
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

function annotationsOf(sent: SentPreferences): Preferences {
  const preference = sent.get('include-annotations');
  if (preference?.value === undefined) return none;
  return {
    annotations: {
      patterns: preference.value
        .split(',')
        .map((pattern) => pattern.trim())
        .filter(Boolean),
      name: preference.name,
    },
  };
}

// The most specific pattern decides; of two equally specific ones, the excluding one.
function includesTerm(patterns: readonly string[], term: string): boolean {
  const matching = patterns.map(readPattern).filter(({ matches }) => matches(term));
  const most = Math.max(...matching.map(({ length }) => length));
  return matching.length > 0 && matching.every(({ length, excludes }) => length < most || !excludes);
}

interface Pattern {
  readonly excludes: boolean;
  readonly length: number;
  readonly matches: (term: string) => boolean;
}

// `*`, `Namespace.*` or `Namespace.Term`; a pattern with a qualifier matches none of our annotations.
function readPattern(pattern: string): Pattern {
  const excludes = pattern.startsWith('-');
  const [name = ''] = (excludes ? pattern.slice(1) : pattern).split(' ');
  const full = name.replace(/^core\./, 'org.odata.core.v1.');
  const matches = full.endsWith('*') ? (term: string) => term.startsWith(full.slice(0, -1)) : (term: string) => term === full;
  return { excludes, length: full.length, matches };
}

// Without a value the preference is true.
function continueOf(sent: SentPreferences): Preferences {
  const preference = sent.get('continue-on-error');
  return preference === undefined ? none : { continueOnError: preference.value !== 'false' };
}
