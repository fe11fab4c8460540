import type { ServerResponse } from 'node:http';
import { pipeline, Writable, type Readable } from 'node:stream';
import { errors } from '../errors/catalogue.js';
import { giveBack } from '../response/payload-buffers.js';
import type { Service } from './service.js';

/** What the sending of a stream needs beside it. */
export interface Sending {
  readonly service: Pick<Service, 'readerTimeout' | 'logFailure'>;
  readonly requestId: string;
  /** Called when it is over, whatever came of it. */
  readonly sent: () => void;
}

/**
 * Sends a body while it is made, as fast as the client reads. What fails then aborts the connection, so that the
 * client sees that something is missing (protocol 9.5, "In-Stream Errors"), and is logged.
 */
export function sendStream(body: Readable, response: ServerResponse, { service, requestId, sent }: Sending): void {
  const { readerTimeout, logFailure } = service;
  // Node's timeout runs only while nothing is taken, and is another one for the connection's next request.
  response.setTimeout(readerTimeout, () => body.destroy(errors.readerTooSlow(readerTimeout)));
  pipeline(body, sinkOf(response), (failure) => {
    if (failure && !isHangUp(failure)) logFailure(failure, requestId);
    sent();
  });
}

// One chunk at a time, and its buffer is used again when the system has it.
function sinkOf(response: ServerResponse): Writable {
  const sink = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _, done) => {
      response.write(chunk, (failure) => {
        if (!failure) giveBack(chunk);
        done(failure);
      });
    },
    final: (done) => void response.end(done),
    destroy: (failure, done) => {
      if (failure) response.destroy();
      done(failure);
    },
  });
  response.once('close', () => sink.destroy(response.writableFinished ? undefined : errors.clientGone()));
  return sink;
}

// A client that hangs up is no failure of the service. ECANCELED is a write that waited for it, from Node 22 on.
function isHangUp(failure: NodeJS.ErrnoException): boolean {
  return ['ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ECANCELED', errors.clientGone.code].includes(failure.code ?? '');
}
