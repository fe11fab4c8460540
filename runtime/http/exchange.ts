import type { Caller } from '../plan/caller.js';
import type { PlanContext } from '../plan/plan-read.js';
import type { ParsedQuery } from '../uri/query-options.js';
import type { QueryOptions } from '../uri/query-options.js';
import type { ODataRequest } from './message.js';
import type { Preferences } from './prefer.js';
import type { Service } from './service.js';

/** One request on its way: authenticated and parsed, with what the later stages need. */
export interface Exchange {
  readonly request: ODataRequest;
  readonly service: Service;
  readonly caller: Caller;
  readonly options: QueryOptions;
  /** The options as sent, for the links of the answer. */
  readonly raw: ParsedQuery['raw'];
  readonly context: PlanContext;
  readonly preferences: Preferences;
  readonly version: '4.0' | '4.01';
}
