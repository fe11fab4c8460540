import type { ServerResponse } from 'node:http';
import { pipeline, Writable, type Readable } from 'node:stream';
import { errors } from '../errors/catalogue.js';
import { giveBack } from '../response/payload-buffers.js';
import type { Service } from './service.js';

/** The context of sending a stream. */
export interface Sending {
  readonly service: Pick<Service, 'readerTimeout' | 'logFailure'>;
  readonly requestId: string;
  /** Called when sending has ended, in any way. */
  readonly sent: () => void;
}

/**
 * Sends a body while it is produced, at the client's pace. A failure is logged and aborts the connection, so that the
 * client notices the truncation (protocol 9.5, "In-Stream Errors").
 */
export function sendStream(body: Readable, response: ServerResponse, { service, requestId, sent }: Sending): void {
  const { readerTimeout, logFailure } = service;
  // Node's timeout applies only while nothing is read, and is reset for the connection's next request.
  response.setTimeout(readerTimeout, () => body.destroy(errors.readerTooSlow(readerTimeout)));
  pipeline(body, sinkOf(response), (failure) => {
    if (failure && !isHangUp(failure)) logFailure(failure, requestId);
    sent();
  });
}

// One chunk at a time; its buffer is reused when the system has it.
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

// A disconnected client is no failure of the service. From Node 22 on, a write that waited fails with ECANCELED.
function isHangUp(failure: NodeJS.ErrnoException): boolean {
  return ['ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ECANCELED', errors.clientGone.code].includes(failure.code ?? '');
}
