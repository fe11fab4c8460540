import { connect, type Socket } from 'node:net';
import { responseReader, type ReadResponse } from './response-reader.js';

/** A request that is ready to be sent. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

/** One kept-alive connection; it has one request under way at a time, as a browser or a replicating client has. */
export interface HttpConnection {
  readonly send: (request: LoadRequest) => Promise<ReadResponse>;
  readonly close: () => void;
}

/** Connects to a server on this machine. Node's own client takes three times the processor time, on a processor that the database shares. */
export async function openHttp(port: number, headers: string): Promise<HttpConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((ready, fail) => socket.once('connect', ready).once('error', fail));
  const answers = answersOf(socket);
  return {
    send: (request) => {
      socket.write(requestText(request, headers));
      return answers();
    },
    close: () => void socket.destroy(),
  };
}

function requestText({ method, path, body }: LoadRequest, headers: string): string {
  const content = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}${content}\r\n${body ?? ''}`;
}

function answersOf(socket: Socket): () => Promise<ReadResponse> {
  let waiting: { readonly done: (response: ReadResponse) => void; readonly fail: (failure: Error) => void } | undefined;
  const read = responseReader((response) => waiting?.done(response));
  socket.on('data', read);
  socket.on('error', (failure) => waiting?.fail(failure));
  socket.on('end', () => waiting?.fail(new Error('The server closed the connection.')));
  return () => new Promise((done, fail) => (waiting = { done, fail }));
}
