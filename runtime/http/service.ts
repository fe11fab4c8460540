import { hasRowRules, type RowFilters } from '../plan/row-filter.js';
import { storeHooks } from '../store/hooks.js';
import { planHooks } from '../plan/hooks.js';
import type { EntityContainer, Extensions, OperationHandlers } from '../edm/index.js';
import type { TokenSeal } from '../paging/skiptoken.js';
import type { Caller } from '../plan/caller.js';
import type { PlanOptions } from '../plan/limits.js';
import type { PlanContext } from '../plan/scope.js';
import type { ODataRequest, ODataResponse } from '../protocol/message.js';
import type { Preferences } from '../protocol/prefer.js';
import { quote } from '../schema/identifier.js';
import type { Statement } from '../sql/statement.js';
import type { Store } from '../store/store.js';
import type { QueryOptions, RawOption } from '../uri/query-options.js';
import type { ParameterRecording } from '../uri/shape.js';
import type { ServedDocument } from './document.js';
import type { Gate, UploadPlaces } from './gate.js';
import { httpHooks } from './hooks.js';
import type { PlanCache, Prepared } from './read/plan-cache.js';
import { memoized } from '../edm/memoized.js';

/** An authenticated and parsed request, with the context of later stages. */
export interface Exchange {
  readonly request: ODataRequest;
  readonly service: Service;
  readonly caller: Caller;
  readonly options: QueryOptions;
  readonly context: PlanContext;
  readonly preferences: Preferences;
  readonly version: '4.0' | '4.01';
  /** All options as sent. */
  readonly raw: readonly RawOption[];
  readonly parameters?: NonNullable<QueryOptions['aliases']>;
  /** The data that a feature carries from page to page, and the members that it adds to the last page. */
  readonly carried?: string | undefined;
  /** The recording, where the plan of this request is to be cached. */
  readonly keeping?: Keeping;
}

/** The recording of a request whose plan may be kept, and the first parameter after those of its literals. */
export interface Keeping {
  readonly keep: (plan: Prepared) => void;
  readonly firstFreeParameter: number;
  readonly recording: ParameterRecording;
}

/** The documents that describe the model. */
export interface MetadataDocuments {
  readonly xml: ServedDocument;
  readonly json: ServedDocument;
  /** The vocabularies of the model, by file name. */
  readonly vocabularies: ReadonlyMap<string, ServedDocument>;
}

/** Produces the answer to a request. */
export type Answer = (request: ODataRequest, service: Service) => Promise<ODataResponse>;

/** The dependencies of all requests, composed by `main`. */
export interface Service {
  readonly container: EntityContainer;
  readonly extensions: Extensions;
  readonly operations?: OperationHandlers;
  /** The time limit of handlers in milliseconds; 30 000 by default. */
  readonly handlerTimeout?: number;
  readonly store: Store;
  /** The store without row filters, where `store` applies those of a caller. */
  readonly unfiltered?: Store;
  readonly metadata: MetadataDocuments;
  /** The texts of the model's migrations, which delta links depend on. */
  readonly migrations?: readonly string[];
  /** The absolute URL of the service root, without a trailing slash. */
  readonly root: string;
  readonly settings: PlanOptions;
  /** Whether it refuses every change. */
  readonly readOnly?: boolean;
  readonly seal: TokenSeal;
  /** The cache of plans; without it every request is planned. */
  readonly plans?: PlanCache;
  /** Verifies an Authorization header; throws 401. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** Whether `$metadata` and the service document need no token. */
  readonly publicMetadata: boolean;
  /** The gate for large pages, whose clients may keep a connection for long; unlimited by default. */
  readonly largePages?: Gate;
  /** The maximum bytes of a media stream. */
  readonly maxStream: number;
  readonly maxExport?: RecordLimits;
  /** The limit of concurrent uploads of long media streams; unlimited by default. */
  readonly uploads?: UploadPlaces;
  /** Milliseconds for which a client may read nothing of a large page, or send nothing of a media stream. */
  readonly readerTimeout: number;
  /** The address that explains an error code, where the service has one. */
  readonly helpFor?: (code: string) => string;
  /** Whether the process is draining, so that no request should wait for what may not come. */
  readonly isDraining?: (() => boolean) | undefined;
  /** Logs an unexpected failure completely; the client gets only the request's id. */
  readonly logFailure: (failure: unknown, requestId: string) => void;
}

/** The most records of an export: of every caller, and of those with a scope. */
export interface RecordLimits {
  readonly most: number;
  readonly ofScopes?: ReadonlyMap<string, number>;
}

/** The row filters of a caller; undefined where the model has none. */
export function rowFiltersOf(caller: Caller, container: EntityContainer): RowFilters | undefined {
  return hasRowRules(container) ? planHooks.get('rowFilters').ofCaller(caller, container) : undefined;
}

/** The service of a caller: the row filters of the model apply to every statement. */
export function filteredService(service: Service, caller: Caller): Service {
  if (!hasRowRules(service.container)) return service;
  return filteredServices(service)(caller);
}

// One object for each caller, by which derived data is cached.
const filteredServices = memoized((service: Service) =>
  memoized((caller: Caller) => withFilters(service, rowFiltersOf(caller, service.container))),
);

function withFilters(service: Service, filters: RowFilters | undefined): Service {
  if (filters === undefined) return service;
  return { ...service, store: storeHooks.get('filteredStore')(service.store, filters), unfiltered: service.store };
}

/** Whether statements read a view: a table of the model that a feature computes from others, for each caller. */
export function readsView(statements: readonly (Statement | undefined)[], container: EntityContainer): boolean {
  const views = viewsOf(container);
  return views.length > 0 && statements.some((statement) => views.some((view) => statement?.text.includes(view)));
}

const viewsOf = memoized(({ entityTypes }: EntityContainer) =>
  Object.values(entityTypes).flatMap(({ events, table }) => (events === undefined ? [] : [quote(table)])),
);

/** The service whose statements may read views. */
export function withViews(service: Service, caller: Caller): Service {
  return service.store.hasViews ? service : (httpHooks.find('withViews')?.(service, caller) ?? service);
}

/** The store without row filters. */
export function unfilteredStore({ store, unfiltered = store }: Service): Service['store'] {
  return unfiltered;
}

/** The side that ended an answer early: a client that disconnected or read nothing for too long, or a failing service. */
export type CutBy = 'client' | 'service';

/** An answer for observers. */
export interface Answered {
  readonly status: number;
  readonly milliseconds: number;
  /** Set where the connection was closed before the client had all of it. */
  readonly cutBy: CutBy | undefined;
  /** Its label in metrics where the path is outside of the service. */
  readonly resource: string | undefined;
}

/** Observes requests; absent parts cost nothing. */
export interface Observer {
  /** Replaces `respond`, which it calls, to measure the stages. */
  readonly respond?: (request: ODataRequest, service: Service) => Promise<ODataResponse>;
  readonly answered?: (request: ODataRequest, answered: Answered) => void;
  /** Called for requests that could not be parsed; `reason` is Node's code. */
  readonly unreadable?: (status: number, reason: string | undefined) => void;
  /** Whether the process is draining, so that connections should be closed. */
  readonly isDraining?: () => boolean;
}
