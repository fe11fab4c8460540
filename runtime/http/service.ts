import type { EntityContainer, Extensions, OperationHandlers } from '../edm/index.js';
import type { TokenSeal } from '../paging/skiptoken.js';
import type { Caller } from '../plan/caller.js';
import type { PlanOptions } from '../plan/limits.js';
import type { Gate } from './gate.js';
import type { PlanCache } from './read/plan-cache.js';
import type { ServedDocument } from './read/served-document.js';
import type { UploadPlaces } from './write/upload.js';
import type { Store } from '../store/store.js';

/** The documents that describe the model, as served. */
export interface MetadataDocuments {
  readonly xml: ServedDocument;
  readonly json: ServedDocument;
  /** Vocabularies that the model refers to, by file name. */
  readonly vocabularies: ReadonlyMap<string, ServedDocument>;
}

/** All that answering a request needs, put together once by `main`. */
export interface Service {
  readonly container: EntityContainer;
  readonly extensions: Extensions;
  /** The handlers of the model's operations, where it has some. */
  readonly operations?: OperationHandlers;
  /** Milliseconds that a handler may take; 30 000 where nothing is said. */
  readonly handlerTimeout?: number;
  readonly store: Store;
  /** The store with all records, where `store` has only those that a caller may see. */
  readonly whole?: Store;
  readonly metadata: MetadataDocuments;
  /** The absolute URL of the service root, without a slash at the end. */
  readonly root: string;
  readonly settings: PlanOptions;
  readonly seal: TokenSeal;
  /** Reads that were planned before; absent where every request is planned anew. */
  readonly plans?: PlanCache;
  /** Verifies an Authorization header; throws 401. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** Whether `$metadata` and the service document need no token. */
  readonly publicMetadata: boolean;
  /** Where pages wait whose readers may keep a connection for long; they need not when left out. */
  readonly largePages?: Gate;
  /** Bytes that a media stream may have. */
  readonly maxStream: number;
  /** Places of those who send long media streams; absent where there may be any number. */
  readonly uploads?: UploadPlaces;
  /** Milliseconds for which a client may take nothing of a large page, or send nothing of a media stream. */
  readonly readerTimeout: number;
  /** Receives what was not an ODataError, whole; the client gets only the request's id. */
  readonly logFailure: (failure: unknown, requestId: string) => void;
}
