import type { EntityContainer, Extensions, OperationHandlers } from '../edm/index.js';
import type { TokenSeal } from '../paging/skiptoken.js';
import type { Caller } from '../plan/caller.js';
import type { PlanOptions } from '../plan/limits.js';
import type { Gate } from './gate.js';
import type { PlanCache } from './read/plan-cache.js';
import type { ServedDocument } from './read/served-document.js';
import type { ODataRequest, ODataResponse } from '../protocol/message.js';
import type { Store } from '../store/store.js';

/** The documents that describe the model. */
export interface MetadataDocuments {
  readonly xml: ServedDocument;
  readonly json: ServedDocument;
  /** The vocabularies of the model, by file name. */
  readonly vocabularies: ReadonlyMap<string, ServedDocument>;
}

/** The limit of concurrent long uploads, each of which holds a database connection. */
export interface UploadPlaces {
  readonly most: number;
  /** Takes a place, and returns the function that releases it; undefined when all are taken. */
  readonly enter: () => (() => void) | undefined;
}

/** Produces the answer to a request. */
export type Answer = (request: ODataRequest, service: Service) => Promise<ODataResponse>;

/** The dependencies of all requests, composed by `main`. */
export interface Service {
  readonly container: EntityContainer;
  readonly extensions: Extensions;
  /** The handlers of the model's operations. */
  readonly operations?: OperationHandlers;
  /** The time limit of handlers in milliseconds; 30 000 by default. */
  readonly handlerTimeout?: number;
  readonly store: Store;
  /** The store without row filters, where `store` applies those of a caller. */
  readonly unfiltered?: Store;
  readonly metadata: MetadataDocuments;
  /** The absolute URL of the service root, without a trailing slash. */
  readonly root: string;
  readonly settings: PlanOptions;
  readonly seal: TokenSeal;
  /** The cache of planned reads; without it every request is planned. */
  readonly plans?: PlanCache;
  /** Verifies an Authorization header; throws 401. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** Whether `$metadata` and the service document need no token. */
  readonly publicMetadata: boolean;
  /** The gate for large pages, whose clients may keep a connection for long; unlimited by default. */
  readonly largePages?: Gate;
  /** The maximum bytes of a media stream. */
  readonly maxStream: number;
  /** The limit of concurrent uploads of long media streams; unlimited by default. */
  readonly uploads?: UploadPlaces;
  /** Milliseconds for which a client may read nothing of a large page, or send nothing of a media stream. */
  readonly readerTimeout: number;
  /** Logs an unexpected failure completely; the client gets only the request's id. */
  readonly logFailure: (failure: unknown, requestId: string) => void;
}
