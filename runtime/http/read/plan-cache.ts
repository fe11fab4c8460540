import type { Caller } from '../../plan/caller.js';
import type { ParameterRecording } from '../../uri/shape.js';
import { withTexts, type PreparedRead } from './prepared-read.js';

/** A cached read, with the recording that matches requests. */
interface KeptRead {
  readonly read: PreparedRead;
  readonly recording: ParameterRecording;
}

/** Cached reads by the shape of their requests, so that a recurring shape is parsed, planned and compiled once. */
export interface PlanCache {
  /** Finds the read for the literals of a request; `others` are further values, such as those of a `$skiptoken`. */
  readonly find: (key: string, literals: readonly string[], others: readonly string[]) => PreparedRead | undefined;
  readonly add: (key: string, recording: ParameterRecording, read: PreparedRead) => void;
}

/** The number of shapes in each of two generations. */
export const mostShapes = 500;
/** The number of plans for one shape, which differ in observed literals. */
export const mostPlans = 8;

/** A bounded cache with two generations: plans unused during one generation are evicted. */
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
 * The key of a plan: the request's shape, the caller's scopes and the preferred page size. Plans depend on nothing else
 * of a caller.
 */
export function planKey(shape: string, caller: Caller, parts: readonly (string | number | undefined)[]): string {
  return [scopesOf(caller), ...parts.map((part) => part ?? ''), shape].join('\n');
}

const scopeTexts = new WeakMap<Caller, string>();

// Scopes contain no white space (RFC 6749, 3.3).
function scopesOf(caller: Caller): string {
  const known = scopeTexts.get(caller) ?? [...caller.scopes].sort().join(' ');
  scopeTexts.set(caller, known);
  return known;
}
