import type { Caller } from '../plan/caller.js';
import type { PlanContext } from '../plan/plan-read.js';
import type { QueryOptions, RawOption } from '../uri/query-options.js';
import type { ParameterRecording } from '../uri/shape.js';
import type { ODataRequest } from '../protocol/message.js';
import type { Preferences } from '../protocol/prefer.js';
import type { PreparedRead } from './read/prepared-read.js';
import type { Service } from './service.js';

/** One request on its way: authenticated and parsed, with what the later stages need. */
export interface Exchange {
  readonly request: ODataRequest;
  readonly service: Service;
  readonly caller: Caller;
  readonly options: QueryOptions;
  readonly context: PlanContext;
  readonly preferences: Preferences;
  readonly version: '4.0' | '4.01';
  /** Every option as it was sent. */
  readonly raw: readonly RawOption[];
  /** The values of parameter aliases, where the request has some. */
  readonly parameters?: NonNullable<QueryOptions['aliases']>;
  /** Set where the plan of this read is to serve others of its shape too. */
  readonly keeping?: Keeping;
}

/** The recording of a read that may be kept, and the first parameter after those of its literals. */
export interface Keeping {
  readonly keep: (read: PreparedRead) => void;
  readonly firstFreeParameter: number;
  readonly recording: ParameterRecording;
}
