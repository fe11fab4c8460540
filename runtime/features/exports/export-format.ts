import { own } from '../../edm/index.js';
import { type ODataRequest, splitOnce } from '../../protocol/message.js';
import { formatHint, parseAccept } from '../../protocol/negotiate.js';
import { scanMembers } from '../../response/scan-json.js';

/** The pages of an export as bytes. */
export interface ExportFormat {
  readonly contentType: string;
  readonly extension: string;
  /** Whether records have the same columns. */
  readonly isTable: boolean;
  /** The parameters that may be asked for, and their values. */
  readonly parameters: { readonly [name: string]: readonly string[] | undefined };
  /** The text before the first record. */
  readonly head: (columns: readonly string[]) => string;
  /** One record, whose JSON lies at the bounds, with its line break. */
  readonly record: (page: Buffer, start: number, end: number, columns: readonly string[]) => string;
}

const charset = { charset: ['utf-8', 'utf8'] };

const csv: ExportFormat = {
  contentType: 'text/csv;charset=utf-8;header=present',
  extension: 'csv',
  isTable: true,
  parameters: { ...charset, header: ['present'], bom: ['true', 'false'] },
  head: csvHeader,
  record: csvRow,
};

const byType: ReadonlyMap<string, ExportFormat> = new Map([
  ['text/csv', csv],
  [
    'application/x-ndjson',
    {
      contentType: 'application/x-ndjson',
      extension: 'ndjson',
      isTable: false,
      parameters: charset,
      head: () => '',
      record: (page, start, end) => `${page.toString('utf8', start, end)}\n`,
    },
  ],
]);

/** By it Excel recognises UTF-8. */
const byteOrderMark = '\ufeff';

/** The short forms of `$format`, which parameters may follow. */
const shortForms: readonly (readonly [name: RegExp, type: string])[] = [
  [/^csv(?=;|$)/i, 'text/csv'],
  [/^ndjson(?=;|$)/i, 'application/x-ndjson'],
];

/** The names of formats in a query string or Accept, and any name that is neither JSON nor a range: it may be misspelt. */
export const formatNames =
  /csv|ndjson|format=(?!(?:application(?:\/|%2F))?json\b)|(?:^|,)\s*(?!application\/(?:json\b|\*)|\*)[\w.+-]+\/[\w*]/i;

/** Export formats as the message of a rejected format names them, after those of JSON. */
export const exportFormats = 'text/csv ($format=csv, $format=csv;bom=true), application/x-ndjson ($format=ndjson)';

/** The format that a rejected one may mean. */
export function exportHint({ query, header }: ODataRequest): string {
  const option = query.split('&').find((text) => formatOption.test(text));
  const asked = option === undefined ? (header('accept') ?? '') : decoded(splitOnce(option, '=')[1] ?? '');
  return formatHint(parseAccept(asked), ['csv', 'ndjson', 'json', ...byType.keys(), 'application/json']);
}

const formatOption = /^(?:\$|%24)?format=/i;

/** The format of an export that a request asks for first, by `$format` or else by Accept. */
export function exportFormatOf({ query, header, resolve }: ODataRequest): ExportFormat | undefined {
  if (resolve !== undefined) return undefined;
  const accept = header('accept') ?? '';
  const option = query.split('&').find((text) => formatOption.test(text));
  const [range] = parseAccept(option === undefined ? accept : longForm(decoded(splitOnce(option, '=')[1] ?? '')));
  const format = range && byType.get(range.type);
  if (range === undefined || format === undefined || range.quality === 0) return undefined;
  // Ignored parameters would give another file than the one asked for.
  for (const [name, value] of range.parameters) if (name !== 'q' && !own(format.parameters, name)?.includes(value)) return undefined;
  return format.isTable && range.parameters.get('bom') === 'true'
    ? { ...format, head: (columns) => byteOrderMark + format.head(columns) }
    : format;
}

/** The options of a query string without `$format`. */
export function withoutFormat(query: string): readonly string[] {
  return query.split('&').filter((text) => text !== '' && !formatOption.test(text));
}

function longForm(text: string): string {
  return shortForms.reduce((whole, [name, type]) => whole.replace(name, type), text);
}

// The parsers of the request say what is wrong with a malformed option.
function decoded(text: string): string {
  return text.replace(/%(?:2F|3B|3D)/gi, (code) => decodeURIComponent(code)).replaceAll('+', ' ');
}

/** The column of members that have no column of their own, as a JSON object. */
export const otherColumn = '@other';

/** The header row (RFC 4180). */
export function csvHeader(columns: readonly string[]): string {
  return `${columns.map(quoted).join(',')}\r\n`;
}

/** The row of a record, whose JSON lies at the bounds: numbers as they are, objects and arrays as JSON, null as nothing. */
export function csvRow(page: Buffer, start: number, end: number, columns: readonly string[]): string {
  const members = new Map(
    [...scanMembers(page, start + 1, end)].map(([name, span]) => [name, page.toString('utf8', span.start, span.end)]),
  );
  const cells = columns.map((name) => {
    if (name === otherColumn) return quoted(othersOf(members));
    const json = members.get(name);
    members.delete(name);
    return json === undefined ? '' : cellOf(json);
  });
  return `${cells.join(',')}\r\n`;
}

// It is the last column: the others have been taken.
function othersOf(members: ReadonlyMap<string, string>): string {
  return members.size === 0 ? '' : `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

// An empty string has quotes, since nothing is null.
function cellOf(json: string): string {
  if (json === 'null') return '';
  if (json === '""') return json;
  return json.startsWith('"') ? quoted(json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1)) : quoted(json);
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
