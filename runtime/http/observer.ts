import type { ODataRequest, ODataResponse } from '../protocol/message.js';
import type { Service } from './service.js';

/** What accompanies requests from outside; a part that is absent costs nothing. */
export interface Observer {
  /** Answers in place of `respond`, which it calls, so that the stages can be watched. */
  readonly respond?: (request: ODataRequest, service: Service) => Promise<ODataResponse>;
  /** Called with every answer that has been handed on; `resource` is what it counts for where its path is none of the service's. */
  readonly answered?: (request: ODataRequest, status: number, milliseconds: number, resource?: string) => void;
  /** Called where what arrived could not be read as a request at all; `reason` is Node's code for it. */
  readonly unreadable?: (status: number, reason: string | undefined) => void;
  /** Whether the process is about to end, so that connections should too. */
  readonly isDraining?: () => boolean;
}
