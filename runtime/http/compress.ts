import { pipeline, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { parseAccept } from '../protocol/negotiate.js';
import { isWhole, type ODataResponse } from '../protocol/message.js';
import { giveBack } from '../response/byte-writer.js';
import type { Answer } from './service.js';

/** The size in bytes from which compression pays off. */
const threshold = 1024;

/** Compresses answers in a coding that the client accepts, where that makes them smaller. */
export function compressing(answer: Answer): Answer {
  return async (request, service) => {
    const response = await answer(request, service);
    // A cache applies the headers of a 304 to the stored answer, which may have been compressible (RFC 9110, 15.4.5).
    if (response.status === 304) return { ...response, headers: varying(response) };
    if (!isCompressible(response)) return response;
    const headers = varying(response);
    const coding = contentCodingOf(request.header('accept-encoding'));
    return coding === undefined
      ? { ...response, headers }
      : encoded({ ...response, headers: { ...headers, 'Content-Encoding': coding } }, coding);
  };
}

function varying({ headers: { Vary, ...headers } }: ODataResponse): ODataResponse['headers'] {
  return { ...headers, Vary: Vary === undefined ? 'Accept-Encoding' : `${Vary}, Accept-Encoding` };
}

const compressibleType = /^(text\/|multipart\/mixed|application\/(json|xml|x-ndjson|[^;]*\+(json|xml)))/;

// Ranges refer to the stored bytes, which no-transform declares (RFC 9111, 5.2.2.6).
function isCompressible(response: ODataResponse): boolean {
  const { headers } = response;
  if (!compressibleType.test(headers['Content-Type'] ?? '') || headers['Cache-Control']?.includes('no-transform')) return false;
  return !isWhole(response) || Buffer.byteLength(response.body ?? '') >= threshold;
}

async function encoded(response: ODataResponse, coding: ContentCoding): Promise<ODataResponse> {
  const { whole, stream } = compressors[coding];
  if (isWhole(response)) {
    const smaller = await whole(response.body ?? '');
    if (typeof response.body === 'object') giveBack(response.body);
    return { ...response, body: smaller };
  }
  return { ...response, body: through(response.body, stream()) };
}

// The lowest level of each: brotli's is smaller than gzip's at a fraction of the default's time.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzipOptions = { level: 1 };
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

// One chunk at a time, so that its buffer is free when the stream requests the next.
const oneChunk = { writableHighWaterMark: 1 };

interface Compressor {
  readonly whole: (body: string | Uint8Array) => Promise<Buffer>;
  readonly stream: () => Transform;
}

const compressors: { readonly [coding in ContentCoding]: Compressor } = {
  br: { whole: (body) => brotli(body, brotliOptions), stream: () => createBrotliCompress({ ...brotliOptions, ...oneChunk }) },
  gzip: { whole: (body) => gzipped(body, gzipOptions), stream: () => createGzip({ ...gzipOptions, ...oneChunk }) },
};

// A failure or the end of either stream ends the other.
function through(body: Readable, compressor: Transform): Readable {
  pipeline(body, givingBack, compressor, () => undefined);
  return compressor;
}

async function* givingBack(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    giveBack(chunk);
  }
}

/** The codings of answers; of equal quality, the first is used. */
const contentCodings = ['br', 'gzip'] as const;

type ContentCoding = (typeof contentCodings)[number];

/** The coding that an Accept-Encoding selects (RFC 9110, 12.5.3); undefined for none, and where identity is preferred. */
export function contentCodingOf(header: string | undefined): ContentCoding | undefined {
  if (header === undefined) return undefined;
  const ranges = parseAccept(header);
  const qualityOf = (name: string): number | undefined => ranges.find(({ type }) => type === name)?.quality;
  const bare = qualityOf('identity') ?? 0;
  const liked = contentCodings.map((coding) => ({ coding, quality: qualityOf(coding) ?? qualityOf('*') ?? 0 }));
  return liked.filter(({ quality }) => quality > 0 && quality >= bare).sort((one, other) => other.quality - one.quality)[0]?.coding;
}
