import type { Target } from '../plan/path-target.js';
import type { ODataResponse } from '../protocol/message.js';
import type { Caller } from '../plan/caller.js';
import type { PlanContext } from '../plan/scope.js';
import type { QueryOptions, RawOption } from '../uri/query-options.js';
import type { ParameterRecording } from '../uri/shape.js';
import type { ODataRequest } from '../protocol/message.js';
import type { Preferences } from '../protocol/prefer.js';
import type { PreparedRead } from './read/prepared-read.js';
import type { Service } from './service.js';

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
  /** The values of parameter aliases, if any. */
  readonly parameters?: NonNullable<QueryOptions['aliases']>;
  /** The recording, where the plan of this read is to be cached. */
  readonly keeping?: Keeping;
}

/** The recording of a read that may be kept, and the first parameter after those of its literals. */
export interface Keeping {
  readonly keep: (read: PreparedRead) => void;
  readonly firstFreeParameter: number;
  readonly recording: ParameterRecording;
}

/** Executes a target; passed by the dispatcher, which knows all kinds of targets. */
export type CarryOut = (target: Target, exchange: Exchange) => Promise<ODataResponse>;
