import { httpHooks } from '../../http/hooks.js';
import { readStream } from './read-stream.js';
import { createMedia, deleteStream, putStream } from './write-stream.js';

/** Registers the reads and writes of media streams. */
export function registerMediaStreams(): void {
  httpHooks.register({ streamOperations: { readStream, putStream, deleteStream, createMedia } });
}
