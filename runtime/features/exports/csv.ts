import { scanMembers } from '../../response/scan-json.js';

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
