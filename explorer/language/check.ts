import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { parseWholeApply } from '../../runtime/features/apply/parse/parse-apply.js';
import { planApplied } from '../../runtime/features/apply/plan/plan-applied.js';
import { crossSetTarget, planCrossSet } from '../../runtime/features/cross-set/plan-cross-set.js';
import { planCallPath } from '../../runtime/features/operations/plan/find-call.js';
import { shapes } from '../../runtime/features/geo/shapes.js';
import { streamAt } from '../../runtime/features/media-streams/plan-stream.js';
import { fromProperty, propertyAt } from '../../runtime/features/property-addresses/plan/property-path.js';
import { registerPatterns } from '../../runtime/features/patterns/patterns.js';
import { parseInnerSearch, parseSearch, printSearch } from '../../runtime/features/search/parse-search.js';
import { isSearchable, planItemSearch, planSearch } from '../../runtime/features/search/plan-search.js';
import { expressionHooks } from '../../runtime/expression/hooks.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { type ErrorPosition, ODataError } from '../../runtime/errors/odata-error.js';
import { sampleNames, withNames } from '../../runtime/errors/sample-names.js';
import { shortened } from '../../runtime/errors/suggest.js';
import type { Caller } from '../../runtime/plan/caller.js';
import { isSeen, requireNavigationAccess, requireReadable } from '../../runtime/plan/caller.js';
import { misplacedIndex, refuseAllOptions, refuseUnplannedOptions } from '../../runtime/plan/check/unplanned.js';
import { planHooks } from '../../runtime/plan/hooks.js';
import type { Target } from '../../runtime/plan/path/path-target.js';
import { planPath } from '../../runtime/plan/read/plan-path.js';
import { planProperty } from '../../runtime/features/property-addresses/plan/plan-property.js';
import { planCollection, planCount, planEntity } from '../../runtime/plan/read/plan-read.js';
import { checkCall } from './check-call.js';
import { createAliases, type PlanContext } from '../../runtime/plan/scope.js';
import { valueHooks } from '../../runtime/plan/value/hooks.js';
import { bindAliases } from '../../runtime/uri/bind-aliases.js';
import { uriHooks } from '../../runtime/uri/hooks.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import { type PlacedRequest, positioned } from '../../runtime/uri/position.js';
import type { QueryOptions } from '../../runtime/uri/query-options.js';

uriHooks.register({ parseApply: parseWholeApply });
planHooks.register({ planApplied, streamAt, propertyAt, fromProperty, planCallPath, crossSetTarget, planCrossSet });
registerPatterns();
valueHooks.register({ shapes });
expressionHooks.register({ search: { parse: parseSearch, parseInner: parseInnerSearch, print: printSearch } });
planHooks.register({ search: { plan: planSearch, planItems: planItemSearch, isSearchable } });

/** A request for reading: its path below the service root and its query, percent-encoded. */
export interface ReadRequest {
  readonly path: string;
  readonly query: string;
}

/** An error or an advice of the planner, in the words of the service. */
export interface Finding {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly target?: string;
  /** The messages of its details. */
  readonly details?: readonly string[];
  readonly position?: ErrorPosition;
  /** `info` for a part that only the service can check. */
  readonly severity: 'error' | 'warning' | 'info';
}

/** The result of parsing and planning a request. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** The trees of the options, as far as they could be parsed. */
  readonly options?: QueryOptions;
  /** The set, type or value that the path leads to. */
  readonly target?: Target;
  /** False where only the service can say whether it accepts the request. */
  readonly complete: boolean;
}

/** Parses and plans a request as the service does before it reads anything. */
export function checkRequest(request: ReadRequest, tables: ShownTables): Checked {
  const parsed: { -readonly [Name in keyof PlacedRequest]: PlacedRequest[Name] } = { ...request };
  const advice: ODataError[] = [];
  const found: { target?: Target } = {};
  const result = (findings: readonly Finding[], complete = true): Checked => ({
    findings: [...findings, ...advice.map((one) => finding(one, parsed, tables, 'warning'))],
    ...(parsed.options && { options: parsed.options }),
    ...found,
    complete,
  });
  try {
    planRequest(parsed, tables, advice, found);
    return result([]);
  } catch (failure) {
    if (failure instanceof ODataError) return result([finding(failure, parsed, tables, 'error')]);
    if (failure instanceof Unchecked) return result([finding(failure.note, parsed, tables, 'info')], false);
    throw failure;
  }
}

/** Thrown at a part of a request that only the service can check, with the reason and the option. */
class Unchecked extends Error {
  readonly note: ODataError;

  constructor(reason: string, option?: string) {
    super(reason);
    this.note = new ODataError('', 0, reason, option);
  }
}

/** Options whose values only the service knows. */
const opaque = {
  id: 'Only the service knows which record an id is.',
  skiptoken: 'Only the service can open the token of a page.',
  deltatoken: 'Only the service can open the token of changes.',
  schemaversion: 'Only the service knows its versions.',
} as const;

function planRequest(
  parsed: { -readonly [Name in keyof PlacedRequest]: PlacedRequest[Name] },
  { container, scopes, settings, handlers = [] }: ShownTables,
  advice: ODataError[],
  found: { target?: Target },
): void {
  const caller: Caller = { subject: '', scopes: new Set(scopes) };
  const path = parseResourcePath(parsed.path);
  parsed.parts = path.parts;
  const { options: sent, raw } = parseQueryOptions(parsed.query);
  const options = /@|%40/.test(parsed.query) ? bindAliases(sent) : sent;
  parsed.options = options;
  const { id: _, deltatoken: __, index, ...others } = options;
  refuseUnplannedOptions(others, container);
  for (const [option, reason] of Object.entries(opaque)) if (option in options) throw new Unchecked(reason, `$${option}`);
  const context: PlanContext = { container, caller, aliases: createAliases(), settings, advice };
  const target = planPath(path, { ...context, ...(sent.aliases && { parameters: sent.aliases }) });
  found.target = target;
  if (
    options.apply &&
    target.kind !== 'operation' &&
    (target.kind !== 'collection' || target.suffix === '$ref' || target.suffix === '$each')
  )
    throw errors.badOption('$apply needs a collection of records.').at('$apply');
  const bound = target.kind === 'operation' ? target.binding?.target : target;
  if (bound && 'parents' in bound) requireNavigationAccess(bound, caller, false);
  if (index !== undefined) throw misplacedIndex();
  if (target.kind === 'operation') checkCall(target, { raw, aliases: sent.aliases ?? new Map(), context, handlers });
  planTarget(target, options, context);
}

function planTarget(target: Target, options: QueryOptions, context: PlanContext): void {
  switch (target.kind) {
    case 'service':
      return refuseAllOptions(options, 'the service document');
    case 'metadata':
      return refuseAllOptions(options, '$metadata');
    case 'collection':
      if (target.suffix === '$each') throw new Unchecked('Members of a set are changed, not read.');
      return void (target.suffix === '$count' ? planCount(target, options, context) : planCollection(target, options, context));
    case 'entity':
      return void planEntity(target, target.suffix === '$ref' ? { ...options, select: [] } : options, context);
    case 'property':
      requireReadable(target.type, context.caller);
      if (!isSeen(target.type, target.name, context.caller)) throw errors.notPermitted(target.name).at(target.name);
      return void planProperty(target, options, context);
    case 'operation':
      throw new Unchecked('Its parameters are right; only the service knows the result.');
    default:
      throw new Unchecked('Only the service reads this.');
  }
}

function finding(error: ODataError, parsed: PlacedRequest, { container }: ShownTables, severity: Finding['severity']): Finding {
  positioned(error, parsed);
  const { code, status, message, target, details, position } = error;
  return {
    code,
    status,
    message: shortened(withNames(message, () => sampleNames(container, parsed.path))),
    severity,
    ...(target !== undefined && { target: shortened(target) }),
    ...(details && { details: details.map((one) => shortened(one.message)) }),
    ...(position && { position }),
  };
}
