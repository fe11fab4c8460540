import type { ODataRequest, ODataResponse } from '../protocol/message.js';
import type { Service } from './service.js';

/** Observes requests; absent parts cost nothing. */
export interface Observer {
  /** Replaces `respond`, which it calls, to measure the stages. */
  readonly respond?: (request: ODataRequest, service: Service) => Promise<ODataResponse>;
  /** Called with every answer; `resource` is its label where the path is outside of the service. */
  readonly answered?: (request: ODataRequest, status: number, milliseconds: number, resource?: string) => void;
  /** Called for requests that could not be parsed; `reason` is Node's code. */
  readonly unreadable?: (status: number, reason: string | undefined) => void;
  /** Whether the process is draining, so that connections should be closed. */
  readonly isDraining?: () => boolean;
}
