import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import type { RequestKind } from '../../http/respond.js';
import type { Answer, RecordLimits, Service } from '../../http/service.js';
import type { Caller } from '../../plan/caller.js';
import { planCollection } from '../../plan/read/plan-read.js';
import { planPath } from '../../plan/read/plan-path.js';
import type { CollectionTarget } from '../../plan/path/path-target.js';
import { createAliases, type PlanContext } from '../../plan/scope.js';
import { type ODataRequest, type ODataResponse, wholeResponse, type WholeResponse } from '../../protocol/message.js';
import { jsonFormats } from '../../protocol/negotiate.js';
import { bodyOf } from '../../response/chunked-body.js';
import { wholeSize } from '../../response/byte-writer.js';
import { scanArray, scanObject } from '../../response/scan-json.js';
import { bindAliases } from '../../uri/bind-aliases.js';
import { parseQueryOptions } from '../../uri/parse-query-options.js';
import { parseResourcePath } from '../../uri/parse-resource-path.js';
import type { QueryOptions } from '../../uri/query-options.js';
import { type ExportFormat, exportFormatOf, exportFormats, exportHint, formatNames, otherColumn, withoutFormat } from './export-format.js';

/** The most records of an export, unless the service has other limits. */
const defaultLimits = { most: 1_000_000 };

/** Records that are read at a time, where the model permits as many. */
const pageSize = 1_000;

/** The most bytes of a page, which is in memory as a whole, in MiB. */
const largestPage = 128;

/** A read of a collection as a file: its pages one after the other. */
export const exportRequest: RequestKind = {
  formats: formatNames,
  methods: new Set(['GET', 'HEAD']),
  answer: async (request, service, next) => {
    const format = exportFormatOf(request);
    const planned = format && (await planExport(request, service));
    return format && planned ? writeExport(planned, { request, service, next, format }) : refusing(request, service, next);
  },
};

// Negotiation says which formats a resource has; a collection has those of exports as well.
async function refusing(request: ODataRequest, service: Service, next: Answer): Promise<ODataResponse> {
  try {
    return await next(request, service);
  } catch (failure) {
    const isRejected = failure instanceof ODataError && failure.status === 406 && request.resolve === undefined;
    if (!isRejected || (await planExport(request, service)) === undefined) throw failure;
    throw errors.notAcceptable(`${jsonFormats}; ${exportFormats}`, exportHint(request));
  }
}

interface Planned {
  readonly target: CollectionTarget;
  readonly top: number | undefined;
  readonly options: Omit<QueryOptions, 'top'>;
  readonly context: PlanContext;
}

async function planExport({ path, query, header }: ODataRequest, service: Service): Promise<Planned | undefined> {
  const caller = await service.authenticate(header('authorization'));
  const { options } = parseQueryOptions(withoutFormat(query).join('&'));
  const context = { container: service.container, caller, aliases: createAliases(), settings: service.settings };
  const target = planPath(parseResourcePath(path), { ...context, ...(options.aliases && { parameters: options.aliases }) });
  if (target.kind !== 'collection' || target.suffix !== '') return undefined;
  // The size of a page may be limited, and that of an export has its own limit.
  const { top, ...others } = bindAliases(options);
  return { target, top, options: others, context };
}

interface Export {
  readonly request: ODataRequest;
  readonly service: Service;
  readonly next: Answer;
  readonly format: ExportFormat;
}

async function writeExport(planned: Planned, { request, service, next, format }: Export): Promise<ODataResponse> {
  const limit = limitOf(planned.context.caller, service.maxExport ?? defaultLimits);
  const { top, options } = planned;
  // A file has no place for the next link, and in a table a removed record would look like one whose values are null.
  if (options.deltatoken !== undefined) throw errors.notAcceptable(jsonFormats);
  if (top !== undefined && top > limit) throw tooMany(`$top is ${top}`, limit);
  const first = pageRequest(request, withoutTop(request.query, top === undefined && !options.apply));
  const page = await wholeResponse(await next(first, service), pageRoom());
  const headers = {
    ...headersOf(page),
    'Content-Type': format.contentType,
    'Content-Disposition': `attachment; filename="${nameOf(planned)}.${format.extension}"`,
  };
  if (request.method === 'HEAD') return { status: page.status, headers };
  const begun = readPage(page);
  if (begun.count !== undefined && begun.count > limit) throw tooMany(`The collection has ${begun.count} records`, limit);
  const columns = format.isTable ? columnsOf(planned, begun) : [];
  const body = await bodyOf(async (take) => {
    let room = Math.min(top ?? limit, limit);
    let written = format.head(columns);
    for (let at: Page | undefined = begun; at !== undefined;) {
      const records = at.records.slice(0, room);
      room -= records.length;
      for (const { start, end } of records) {
        written += format.record(at.body, start, end, columns);
        if (written.length < wholeSize) continue;
        await take(Buffer.from(written));
        written = '';
      }
      const { nextLink } = at;
      if (nextLink === undefined || room === 0) break;
      await take(Buffer.from(written));
      written = '';
      const following = pageRequest(request, nextLink.slice(nextLink.indexOf('?') + 1));
      at = readPage(await wholeResponse(await patiently(() => next(following, service)), pageRoom()));
    }
    return Buffer.from(written);
  });
  return body instanceof Readable ? { status: 200, headers, body } : { status: 200, headers, body };
}

function pageRoom(): (bytes: number) => void {
  let room = largestPage * 1024 * 1024;
  return (bytes) => {
    room -= bytes;
    if (room < 0) throw errors.limitExceeded(`${pageSize} records of the export have more than ${largestPage} MiB; use $select.`);
  };
}

/** Milliseconds before further tries of a page, while the service is busy. */
const pauses = [250, 500, 1_000, 2_000, 4_000];

// An export that has begun cannot answer 503.
async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (const pause of pauses) {
    try {
      return await ask();
    } catch (failure) {
      if (!(failure instanceof ODataError) || failure.status !== 503) throw failure;
      await setTimeout(pause);
    }
  }
  return ask();
}

// The limits of scopes replace the general one, and the largest counts.
function limitOf({ scopes }: Caller, { most, ofScopes }: RecordLimits): number {
  const own = [...scopes].flatMap((scope) => ofScopes?.get(scope) ?? []);
  return own.length === 0 ? most : Math.max(...own);
}

function tooMany(what: string, limit: number): Error {
  return errors.limitExceeded(`${what}, but an export of yours has at most ${limit}; use $filter or $top.`);
}

// The name is that of the last segment with a name, without characters that a header or a disk forbids.
function nameOf({ target }: Planned): string {
  return (target.via ?? target.type.entitySet ?? target.type.name).replace(/[^\w-]/g, '_');
}

/** A request for a page in JSON without metadata. */
function pageRequest(request: ODataRequest, query: string): ODataRequest {
  const header = (name: string): string | undefined => {
    if (name === 'accept') return 'application/json;odata.metadata=none';
    return name === 'prefer' ? `maxpagesize=${pageSize}` : request.header(name);
  };
  return { ...request, query, header };
}

// `$top` is the total here, also where the model makes it the page size; the count is compared with the limit.
function withoutTop(query: string, counts: boolean): string {
  const options = withoutFormat(query).filter((text) => !/^(?:\$|%24)?(?:top|count)=/i.test(text));
  return [...options, ...(counts ? ['$count=true'] : [])].join('&');
}

function headersOf({ headers }: WholeResponse): WholeResponse['headers'] {
  const { 'Preference-Applied': _, 'Content-Length': __, ...others } = headers;
  return others;
}

interface Page {
  readonly body: Buffer;
  readonly records: readonly { readonly start: number; readonly end: number }[];
  readonly count?: number;
  readonly nextLink?: string;
}

function readPage({ body = '' }: WholeResponse): Page {
  const bytes = Buffer.from(body);
  const members = scanObject(bytes, 0);
  const textOf = (name: string): string | undefined => {
    const span = members.get(name);
    return span && bytes.toString('utf8', span.start, span.end);
  };
  const records: { start: number; end: number }[] = [];
  scanArray(bytes, members.get('value')?.start ?? 0, (start, end) => void records.push({ start, end }));
  const [count, link] = [textOf('@odata.count'), textOf('@odata.nextLink')];
  return { body: bytes, records, ...(count && { count: Number(count) }), ...(link && { nextLink: JSON.parse(link) as string }) };
}

// Names that `$select` does not name keep the order of the model.
function inOrderOf(items: QueryOptions['select'] = [], names: ReadonlySet<string>): readonly string[] {
  const first = items.flatMap((item) => (item.kind === 'member' ? (item.path[0]?.name ?? []) : []));
  return [...new Set([...first.filter((name) => names.has(name)), ...names])];
}

// Columns do not depend on the records, except of aggregations; further members of records have a column together.
function columnsOf({ target, options, context }: Planned, { body, records, nextLink }: Page): readonly string[] {
  if (options.apply || target.sets || target.union) {
    const names = records.flatMap(({ start }) => [...scanObject(body, start).keys()]);
    return [...new Set(names), ...(nextLink === undefined ? [] : [otherColumn])];
  }
  const { columns, computed, expands, open } = planCollection(target, options, context).read.selection;
  const names = [...columns.filter(({ hidden, control }) => !hidden && !control), ...computed, ...expands].map(({ name }) => name);
  return [...inOrderOf(options.select, new Set(names)), ...(open || expands.length > 0 ? [otherColumn] : [])];
}
