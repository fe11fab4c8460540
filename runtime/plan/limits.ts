import { errors } from '../errors/catalogue.js';
import type { EntityType, Limits } from '../edm/entity-type.js';
import type { QueryOptions } from '../uri/query-options.js';
import type { ExpandPlan, ReadPlan, Selection } from './read-plan.js';

/** The settings of the service that affect plans. */
export interface PlanOptions {
  /** The treatment of a `$top` over the limit: a rejection loses no data of clients that ignore links. */
  readonly overTop: 'reject' | 'clamp';
}

/** How large the values of `$compute` may become, wherever their names are used: a name is replaced by its expression. */
export const maxComputedNodes = 10_000;

/** How many values one that `$apply` computes may be made of, step by step; in decimal numbers it bounds their digits. */
export const maxComputedWeight = 1_000;

/** How many expansions one statement may have: `$levels` makes more of them than a URL can write. */
const maxExpansions = 50;

/** Rejects expansions that would make the statement too large. */
export function requireFewExpansions(expands: readonly ExpandPlan[]): void {
  const count = countExpansions(expands);
  if (count > maxExpansions)
    throw errors.limitExceeded(`$expand with $levels results in ${count} expansions; the limit is ${maxExpansions}.`).at('$expand');
}

function countExpansions(expands: readonly ExpandPlan[]): number {
  return expands.reduce((count, { selection }) => count + 1 + countExpansions(selection.expands), 0);
}

/** The depth to which an answer expands what a body wrote, whatever the limit of `$expand`. */
export const maxWrittenDepth = 10;

/** How much one answer may expand, on all levels together: records, and values in them. */
export const expandedLimits = { records: 250_000, values: 5_000_000 } as const;

/** Whether the limits of single collections keep the expanded entities within the total limit. */
export function expandsFew({ selection, limit }: ReadPlan): boolean {
  const most = (weight: Weight): number => (limit ?? 1) * mostBeneath(selection.expands, weight);
  return (
    most(() => 1) <= expandedLimits.records && most(({ columns, computed }) => columns.length + computed.length) <= expandedLimits.values
  );
}

type Weight = (selection: Selection) => number;

function mostBeneath(expands: readonly ExpandPlan[], weight: Weight): number {
  return expands.reduce(
    (sum, expand) => sum + mostOf(expand) * (weight(expand.selection) + mostBeneath(expand.selection.expands, weight)),
    0,
  );
}

function mostOf({ form, collection, top, page }: ExpandPlan): number {
  if (form === 'count') return 0;
  return collection ? (top ?? page?.size ?? Infinity) : 1;
}

/** The lowest of several types' limits, each by itself. */
export function leastLimits(limits: readonly Limits[]): Limits {
  const least = (name: Exclude<keyof Limits, 'topIsPageSize'>): number => Math.min(...limits.map((one) => one[name]));
  return {
    maxTop: least('maxTop'),
    maxTopWithExpand: least('maxTopWithExpand'),
    maxSkip: least('maxSkip'),
    defaultPageSize: least('defaultPageSize'),
    maxPageSize: least('maxPageSize'),
    maxPageSizeWithExpand: least('maxPageSizeWithExpand'),
    maxExpandDepth: least('maxExpandDepth'),
    ...(limits.every(({ topIsPageSize }) => topIsPageSize) && { topIsPageSize: true }),
  };
}

/** The limit that applies to `$top`. */
export function maxTop(type: EntityType, options: QueryOptions): number {
  return options.expand ? type.limits.maxTopWithExpand : type.limits.maxTop;
}

/** `$top` as it is carried out: checked against its limit. */
export function effectiveTop(type: EntityType, options: QueryOptions, settings: PlanOptions): number | undefined {
  const limit = maxTop(type, options);
  if (options.top === undefined || options.top <= limit) return options.top;
  if (settings.overTop === 'clamp') return limit;
  const when = options.expand ? ' when $expand is used' : '';
  throw errors
    .limitExceeded(`$top is ${printCount(options.top)}, but the largest value${when} is ${limit}; follow @odata.nextLink for more.`)
    .at('$top');
}

// Larger numbers are read as this one.
function printCount(count: number): string {
  return count === Number.MAX_SAFE_INTEGER ? `${count} or more` : `${count}`;
}

/** Refuses a `$skip` over the limit. */
export function requireSkip(type: EntityType, skip: number | undefined): void {
  if (skip === undefined || skip <= type.limits.maxSkip) return;
  throw errors
    .limitExceeded(
      `$skip is ${printCount(skip)}, but the largest value is ${type.limits.maxSkip}; follow @odata.nextLink, or page by a timestamp and the key.`,
    )
    .at('$skip');
}

/** The page size without `$top`; `preferred` is the client's maxpagesize. */
export function pageSize(type: EntityType, options: QueryOptions, preferred: number | undefined): number {
  const { defaultPageSize, maxPageSize, maxPageSizeWithExpand } = type.limits;
  const largest = options.expand ? Math.min(maxPageSizeWithExpand, maxPageSize) : maxPageSize;
  return Math.min(preferred ?? defaultPageSize, largest);
}
