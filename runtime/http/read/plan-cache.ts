import type { Caller } from '../../plan/caller.js';
import type { ParameterRecording } from '../../uri/shape.js';
import { withTexts, type PreparedRead } from './prepared-read.js';

/** A read that was planned before, and which requests it serves. */
interface KeptRead {
  readonly read: PreparedRead;
  readonly recording: ParameterRecording;
}

/** Reads by the shape of their requests, so that a repeated shape is parsed, planned and compiled once. */
export interface PlanCache {
  /** The read of such a request with these literals; `others` are values beside the literals, such as those of a `$skiptoken`. */
  readonly find: (key: string, literals: readonly string[], others: readonly string[]) => PreparedRead | undefined;
  readonly add: (key: string, recording: ParameterRecording, read: PreparedRead) => void;
}

/** Shapes of one generation; there are two. */
export const mostShapes = 500;
/** Plans of one shape, which differ in literals that the planner looked at. */
export const mostPlans = 8;

/** A bounded cache in two generations: what was not asked for while one filled up is forgotten with the other. */
export function createPlanCache(most = mostShapes): PlanCache {
  let young = new Map<string, readonly KeptRead[]>();
  let old = new Map<string, readonly KeptRead[]>();
  const keep = (key: string, kept: readonly KeptRead[]): void => {
    if (young.size >= most) [young, old] = [new Map(), young];
    young.set(key, kept);
  };
  return {
    find: (key, literals, others) => {
      const kept = young.get(key) ?? old.get(key);
      if (kept === undefined) return undefined;
      if (!young.has(key)) keep(key, kept);
      return firstMatch(kept, literals, others);
    },
    add: (key, recording, read) => {
      recording.seal();
      keep(key, [{ read, recording }, ...(young.get(key) ?? old.get(key) ?? [])].slice(0, mostPlans));
    },
  };
}

function firstMatch(kept: readonly KeptRead[], literals: readonly string[], others: readonly string[]): PreparedRead | undefined {
  for (const { read, recording } of kept) {
    const texts = recording.match(literals);
    if (texts !== undefined) return withTexts(read, [...texts, ...others]);
  }
  return undefined;
}

/**
 * What a plan depends on beside the request's text: what the caller may see, and the page size that is preferred.
 * Plans know nothing else of a caller; who it is, is no part of them.
 */
export function planKey(shape: string, caller: Caller, parts: readonly (string | number | undefined)[]): string {
  return [scopesOf(caller), ...parts.map((part) => part ?? ''), shape].join('\n');
}

const scopeTexts = new WeakMap<Caller, string>();

// A scope has no white space in it (RFC 6749, 3.3).
function scopesOf(caller: Caller): string {
  const known = scopeTexts.get(caller) ?? [...caller.scopes].sort().join(' ');
  scopeTexts.set(caller, known);
  return known;
}
