import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';

/** Where the reader stands in a body, and on the way to which value. */
export interface JsonScan {
  readonly text: string;
  at: number;
  readonly path: (string | number)[];
}

/** A fault of the body, with its position and the value it belongs to. */
export function bodyError(scan: JsonScan, at: number, why: string): ODataError {
  const place = scan.path.length === 0 ? '' : ` in ${pathText(scan.path)}`;
  return errors.malformedBody(`${why}, at position ${at + 1}${place}`);
}

/** Moves over white space, of which JSON knows four characters. */
export function skipSpace(scan: JsonScan): void {
  while (/^[ \t\n\r]$/.test(scan.text[scan.at] ?? '')) scan.at++;
}

/** What stands at the reader, for messages. */
export function found({ text, at }: JsonScan): string {
  const code = text.codePointAt(at);
  return code === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(code));
}

function pathText(path: readonly (string | number)[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `/${step.slice(0, 60)}`)).join('');
  return text.replace(/^\//, '');
}
