import { errors } from '../../errors/catalogue.js';
import { unnamed, type Batch, type BatchPart, type BatchUnit } from './batch.js';
import { batchLimits } from './limits.js';
import { boundaryOf, malformed, parseMimePart, parseMultipart, type MimePart } from './multipart.js';

/** Reads a batch in multipart/mixed (protocol 11.7.7): single requests and change sets, in their order. */
export function readMultipartBatch(bytes: Buffer, contentType: string): Batch {
  const units: BatchUnit[] = [];
  const count = { parts: 0 };
  for (const mime of parseMultipart(bytes, boundaryOf(contentType), batchLimits.parts)) {
    const previous = units.at(-1);
    units.push({ ...readUnit(mime, units.length, count), after: previous === undefined ? [] : [previous] });
  }
  requireDistinct(units);
  return { units, continues: false };
}

interface Count {
  parts: number;
}

function readUnit(mime: MimePart, index: number, count: Count): Pick<BatchUnit, 'group' | 'parts'> {
  const type = mime.headers.get('content-type') ?? '';
  if (!/^multipart\/mixed\b/i.test(type)) return { parts: [readPart(mime, count)] };
  const parts = parseMultipart(mime.body, boundaryOf(type), batchLimits.parts).map((each) => readPart(each, count));
  const reading = parts.find(({ method }) => method === 'GET' || method === 'HEAD');
  if (reading)
    throw malformed(`a change set may contain only requests that change data, but has ${reading.method} ${reading.url.slice(0, 64)}`);
  return { group: `changeset_${index + 1}`, parts };
}

function readPart({ headers, body }: MimePart, count: Count): BatchPart {
  count.parts += 1;
  if (count.parts > batchLimits.parts)
    throw errors.limitExceeded(`A batch may have at most ${batchLimits.parts} requests; this one has more.`);
  const type = headers.get('content-type') ?? '';
  if (!/^application\/http\b/i.test(type))
    throw malformed(`a part must be application/http or multipart/mixed, but one is ${type === '' ? 'neither' : type.slice(0, 64)}`);
  const transfer = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(binary|8bit|7bit)$/i.test(transfer)) throw malformed(`Content-Transfer-Encoding must be binary, not ${transfer.slice(0, 32)}`);
  const id = headers.get('content-id');
  return { id: id ?? unnamed(count.parts), named: id !== undefined, dependsOn: [], ...readHttpRequest(body) };
}

/** An HTTP request as the body of a part (RFC 9112, 2.1). */
function readHttpRequest(bytes: Buffer): Pick<BatchPart, 'method' | 'url' | 'headers' | 'body'> {
  const start = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  const newline = bytes.indexOf(0x0a, Math.max(start, 0));
  const line = bytes.toString('utf8', Math.max(start, 0), newline < 0 ? bytes.length : newline).trimEnd();
  const [, method, url] = /^([A-Za-z]+) (\S.*?)(?: HTTP\/\d\.\d)?$/.exec(line) ?? [];
  if (method === undefined || url === undefined) throw malformed(`'${line.slice(0, 64)}' is not a request line`);
  const { headers, body } = parseMimePart(newline < 0 ? Buffer.alloc(0) : bytes.subarray(newline + 1));
  const length = Number(headers.get('content-length') ?? body.length);
  const sent = Number.isSafeInteger(length) && length >= 0 ? body.subarray(0, length) : body;
  return { method: method.toUpperCase(), url, headers, ...(sent.length > 0 && { body: sent }) };
}

function requireDistinct(units: readonly BatchUnit[]): void {
  const ids = units.flatMap(({ parts }) => parts.map(({ id }) => id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw malformed(`the Content-ID ${twice.slice(0, 64)} is repeated`);
}
