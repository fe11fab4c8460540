import type { EntityContainer } from '../../edm/entity-container.js';
import { respond } from '../../http/respond.js';
import type { Answered, Observer, Service } from '../../http/service.js';
import type { ODataRequest, ODataResponse } from '../../protocol/message.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { serverTiming, type Tracing, watchStages } from './tracing.js';
import { decodedForReading } from '../../uri/decode-url.js';

/** The outputs of the observer; absent ones are disabled. */
export interface ObserverParts {
  readonly logger: Logger;
  readonly logRequests: 'failures' | 'all' | 'none';
  /** The model whose names are the labels of resources. */
  readonly container: EntityContainer;
  readonly metrics: Metrics | undefined;
  readonly serverTiming: boolean;
  readonly tracing: Tracing | undefined;
  readonly state: { readonly isDraining: boolean };
}

/** Milliseconds from which a request counts as slow. */
const slow = 1_000;

/** Counts, logs and times requests. */
export function createObserver(parts: ObserverParts): Observer {
  const { metrics, state } = parts;
  const resourceOf = resourceNames(parts.container);
  const log = requestLog(parts);
  return {
    isDraining: () => state.isDraining,
    ...((parts.serverTiming || parts.tracing) && { respond: watchedRespond(parts, resourceOf) }),
    answered: (request, answered) => {
      const { status, milliseconds, cutBy, resource = resourceOf(request.path) } = answered;
      metrics?.count(request.method, resource, status, milliseconds);
      if (cutBy !== undefined) metrics?.countCut(resource, cutBy);
      log(request, answered);
    },
    unreadable: (status, reason) => {
      metrics?.countUnreadable(status);
      if (parts.logRequests === 'all') parts.logger.info({ status, reason }, 'unreadable request');
    },
  };
}

function requestLog({ logger, logRequests }: ObserverParts): NonNullable<Observer['answered']> {
  if (logRequests === 'none') return () => undefined;
  return (request, { status, milliseconds, cutBy }: Answered) => {
    if (logRequests === 'failures' && status < 500 && milliseconds < slow) return;
    const { id, method, path, query } = request;
    const line = {
      requestId: id,
      method,
      path: loggedPath(path),
      query: loggedQuery(query),
      status,
      ms: Math.round(milliseconds * 100) / 100,
      ...(cutBy !== undefined && { cut: true }),
    };
    // 501 is a client's error like 400, and must not raise an alarm.
    if (status >= 500 && status !== 501) logger.error(line, 'request failed');
    else logger.info(line, 'request');
  };
}

function watchedRespond(parts: ObserverParts, resourceOf: (path: string) => string): NonNullable<Observer['respond']> {
  const { serverTiming: timed, tracing } = parts;
  return async (request: ODataRequest, service: Service): Promise<ODataResponse> => {
    const watched = watchStages(service);
    const answer = (): Promise<ODataResponse> => respond(request, watched.service);
    const response =
      tracing === undefined ? await answer() : await tracing.within(request, resourceOf(request.path), answer, watched.stages);
    return timed ? { ...response, headers: { ...response.headers, 'Server-Timing': serverTiming(watched.stages()) } } : response;
  };
}

/** A query string for the log: options and their structure, without values. */
export function loggedQuery(query: string): string {
  return query.split('&').map(loggedOption).join('&').slice(0, 1_000);
}

/** A path for the log: keys stay, since they identify the entity; values within conditions are removed. */
export function loggedPath(path: string): string {
  const decoded = decodedForReading(path);
  return (decoded.includes('$filter') ? withoutLiterals(decoded) : decoded).slice(0, 1_000);
}

const opaque: ReadonlySet<string> = new Set(['$skiptoken', '$deltatoken', '$search']);

/** Options whose numbers reveal no data. */
const counting: ReadonlySet<string> = new Set(['$top', '$skip']);

// Names without `$` and `@` are unknown; a client may well send a token there.
function loggedOption(option: string): string {
  const equals = option.indexOf('=');
  if (equals < 0) return option === '' || /^(\$|%24)/.test(option) ? option : '...';
  const name = decodedForReading(option.slice(0, equals));
  if (!/^[$@]/.test(name) || opaque.has(name.toLowerCase())) return `${name}=...`;
  const value = decodedForReading(option.slice(equals + 1));
  return `${name}=${counting.has(name.toLowerCase()) && /^\d+$/.test(value) ? value : withoutLiterals(value)}`;
}

// Strings, GUIDs, and literals that begin with a digit, such as numbers, dates and times; a digit within a name is kept.
function withoutLiterals(text: string): string {
  return text
    .replace(/'(?:[^']|'')*(?:'|$)/g, "'...'")
    .replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '"..."')
    .replace(/(?<![\w.$@-])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|-?\d[\w.:+-]*)/gi, '...');
}

/** The resource label of a request: an entity set, a singleton, a name that begins with `$`, `oauth2` for tokens, or `other`. */
function resourceNames({ entitySets, singletons = {} }: EntityContainer): (path: string) => string {
  const known: ReadonlySet<string> = new Set([
    ...Object.keys(entitySets),
    ...Object.keys(singletons),
    '$metadata',
    '$batch',
    '$entity',
    'oauth2',
  ]);
  return (path) => {
    const end = path.slice(1).search(/[/(?]/);
    const first = end < 0 ? path.slice(1) : path.slice(1, end + 1);
    if (first === '') return 'service';
    // The client's text must not become a label: every new one would stay in memory.
    return known.has(first) ? first : 'other';
  };
}
