import { faults } from '../faults.js';
import { ModelError, type Fault } from '../model-error.js';
import type { Sources } from '../sources.js';
import { inputLimits } from './limits.js';

/** The bytes of a document, and its path for messages and headers. */
export interface ModelSource {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A document as text, with its place among the sources and the exit for unreadable ones. */
export interface ReadText {
  readonly path: string;
  readonly text: string;
  readonly start: number;
  /** Ends the run with one fault, at an offset in this text. */
  readonly refuse: (fault: (at: number) => Fault, offset: number) => never;
}

/** Decodes a document; throws when it is too large or not UTF-8. */
export function readText({ path, bytes }: ModelSource, sources: Sources): ReadText {
  const open = (text: string): ReadText => {
    const start = sources.add(path, text);
    const refuse = (fault: (at: number) => Fault, offset: number): never => {
      throw new ModelError(sources, [{ ...fault(start + offset), severity: 'error' }]);
    };
    return { path, text, start, refuse };
  };
  if (bytes.byteLength > inputLimits.bytes) return open('').refuse((at) => faults.limit(at, 'bytes', String(inputLimits.bytes)), 0);
  const text = decode(bytes);
  if (text === undefined) return open('').refuse((at) => faults.notUtf8(at, 'it has bytes that are not UTF-8'), 0);
  const marker = text.search(conflictMarker);
  return marker < 0 ? open(text) : open(text).refuse(faults.unmerged, marker);
}

// The marker that git writes before the first side of a conflict.
const conflictMarker = /^<{7} \S/m;

function decode(bytes: Uint8Array): string | undefined {
  try {
    // XML normalizes line breaks to line feeds (XML 1.0, 2.11), and so do offsets.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    return undefined;
  }
}
