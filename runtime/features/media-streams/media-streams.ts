import { streamAt } from './plan-stream.js';
import { removeStreams } from './remove-streams.js';
import { streamSteps, streamsWithin } from './stream-members.js';
import { storeHooks } from '../../store/hooks.js';
import { planHooks } from '../../plan/hooks.js';
import { responseHooks } from '../../response/hooks.js';
import { httpHooks } from '../../http/hooks.js';
import type { Exchange } from '../../http/service.js';
import type { StreamTarget } from '../../plan/path/path-target.js';
import type { ODataResponse } from '../../protocol/message.js';
import { readStream } from './read-stream.js';
import { createMedia, deleteStream, putStream } from './write-stream.js';

/** Registers the reads and writes of media streams. */
export function registerMediaStreams(): void {
  planHooks.register({ streamAt });
  storeHooks.register({ removeStreams });
  responseHooks.register({ streamMembers: { steps: streamSteps, within: streamsWithin } });
  httpHooks.register({ streamOperations: { operate, createMedia } });
}

function operate(target: StreamTarget, exchange: Exchange): Promise<ODataResponse> {
  const { method } = exchange.request;
  if (method === 'PUT') return putStream(target, exchange);
  return method === 'DELETE' ? deleteStream(target, exchange) : readStream(target, exchange);
}
