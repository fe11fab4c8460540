import type { ODataResponse } from './message.js';
import { remembered } from '../uri/remembered.js';

/** The preferences that this service applies (protocol 8.2.8), with their text for Preference-Applied. */
export interface Preferences {
  readonly return?: 'representation' | 'minimal';
  readonly maxPageSize?: { readonly size: number; readonly name: string };
  readonly omitValues?: { readonly values: 'nulls' | 'defaults'; readonly name: string };
  /** In a batch only: whether requests after a failure are executed. */
  readonly continueOnError?: boolean;
  /** Asks for a link to later changes (protocol 8.2.8.6), under the name that was sent. */
  readonly trackChanges?: string;
  /** The seconds for which an answer may wait for changes (RFC 7240, 4.3). */
  readonly wait?: number;
  /** `handling=strict` (RFC 7240, 4.4): options without effect are rejected. */
  readonly strict?: true;
}

/** The preferences of a request without a Prefer header. */
export const noPreferences: Preferences = {};

/** Parses a Prefer header, with and without the `odata.` of 4.0; unknown preferences are ignored, as required. */
export function parsePrefer(header: string | undefined): Preferences {
  return header === undefined ? noPreferences : parseHeader(header);
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
    ...continueOf(sent),
    ...trackingOf(sent),
    ...(sent.get('handling')?.value === 'strict' && { strict: true }),
  };
});

/** The Preference-Applied header of an answer; no header for an empty list. */
export function preferencesApplied(applied: readonly (string | undefined)[]): Readonly<Record<string, string>> {
  const words = applied.filter((word) => word !== undefined);
  return words.length === 0 ? {} : { 'Preference-Applied': words.join(', ') };
}

/** Adds the applied `handling=strict` to an answer. */
export function strictly(response: ODataResponse): ODataResponse {
  const { 'Preference-Applied': others } = response.headers;
  return { ...response, headers: { ...response.headers, ...preferencesApplied([others, 'handling=strict']) } };
}

/** The Preference-Applied text for omitted values, in the spelling of the request. */
export function omissionApplied({ omitValues }: Preferences): string | undefined {
  return omitValues && `${omitValues.name}=${omitValues.values}`;
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
  return value === 'representation' || value === 'minimal' ? { return: value } : noPreferences;
}

function pageSizeOf(sent: SentPreferences): Preferences {
  const preference = sent.get('maxpagesize');
  const size = Number(preference?.value ?? '');
  return preference && Number.isSafeInteger(size) && size > 0 ? { maxPageSize: { size, name: preference.name } } : noPreferences;
}

function omitValuesOf(sent: SentPreferences): Preferences {
  const preference = sent.get('omit-values');
  const values = preference?.value;
  return preference && (values === 'nulls' || values === 'defaults') ? { omitValues: { values, name: preference.name } } : noPreferences;
}

function trackingOf(sent: SentPreferences): Preferences {
  const tracking = sent.get('track-changes');
  const wait = /^\d{1,6}$/.exec(sent.get('wait')?.value ?? '');
  return { ...(tracking && { trackChanges: tracking.name }), ...(wait && { wait: Number(wait[0]) }) };
}

// Without a value the preference is true.
function continueOf(sent: SentPreferences): Preferences {
  const preference = sent.get('continue-on-error');
  return preference === undefined ? noPreferences : { continueOnError: preference.value !== 'false' };
}
