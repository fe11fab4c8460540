import type { RecordFormat } from '../response/record-format.js';
import type { Stream } from '../edm/index.js';
import { createHooks } from '../errors/hooks.js';
import type { CollectionTarget, OperationTarget, PropertyTarget, RecordTarget, StreamTarget } from '../plan/path/path-target.js';
import type { ODataResponse } from '../protocol/message.js';
import type { RecordRoute, RecordsTarget } from '../protocol/routes.js';
import type { Caller } from '../plan/caller.js';
import type { Connection } from '../sql/statement.js';
import type { Exchange, Service } from './service.js';

type OwnOperation = 'readCollection' | 'readEntity' | 'createEntity' | 'updateEntity' | 'replaceEntity' | 'deleteEntity';

/** The operations of routes that features provide: writes of a collection, of each of its members, and of references. */
export type FeatureOperations = {
  readonly [Operation in Exclude<RecordRoute['operation'], OwnOperation>]: (
    target: RecordsTarget,
    exchange: Exchange,
  ) => Promise<ODataResponse>;
};

/** The reads and writes of media streams, and the creation of a media entity. */
interface StreamOperations {
  readonly operate: (target: StreamTarget, exchange: Exchange) => Promise<ODataResponse>;
  readonly createMedia: (target: RecordTarget, stream: Stream, exchange: Exchange) => Promise<ODataResponse>;
}

interface PropertyOperations {
  readonly read: (target: PropertyTarget, exchange: Exchange) => Promise<ODataResponse>;
  readonly operate: (target: PropertyTarget, exchange: Exchange) => Promise<ODataResponse>;
}

/** Executors of targets that a feature provides. */
interface HttpHooks extends FeatureOperations {
  readonly callOperation: (target: OperationTarget, exchange: Exchange) => Promise<ODataResponse>;
  /** Names of the parameters that a call takes from the query string. */
  readonly parameterNames: (target: OperationTarget) => ReadonlySet<string>;
  /** The operations that can be called with records of a type. */
  readonly advertised: (service: Service) => NonNullable<RecordFormat['operationsOf']>;
  readonly streamOperations: StreamOperations;
  readonly propertyOperations: PropertyOperations;
  /** A document in CSDL XML as a client of 4.0 may read it. */
  readonly metadata40: (text: string) => string;
  /** Reads a collection with `track-changes`, `$deltatoken` or `wait`. */
  readonly readTracked: (target: CollectionTarget, exchange: Exchange) => Promise<ODataResponse>;
  /** The member that ends the last page of a read that carries something. */
  readonly lastMember: (
    carried: string,
    linking: Pick<Exchange, 'request' | 'service' | 'raw'>,
    connection: Pick<Connection, 'run'>,
  ) => Promise<string>;
  /** The service whose statements may read the views of the model as its caller sees them. */
  readonly withViews: (service: Service, caller: Caller) => Service;
}

/** The hooks of `http`. */
export const httpHooks = createHooks<HttpHooks>();
