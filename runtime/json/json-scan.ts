import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';

/** The position of the reader in a body, and the path of the value being read. */
export interface JsonScan {
  readonly text: string;
  at: number;
  readonly path: (string | number)[];
}

/** The error for a fault of the body, with its position and the path of the value. */
export function bodyError(scan: JsonScan, at: number, why: string): ODataError {
  const place = scan.path.length === 0 ? '' : ` in ${pathText(scan.path)}`;
  return errors.malformedBody(`${why}, at position ${at + 1}${place}`);
}

/** Moves over white space, which is four characters in JSON. */
export function skipSpace(scan: JsonScan): void {
  while (/^[ \t\n\r]$/.test(scan.text[scan.at] ?? '')) scan.at++;
}

/** The text at the reader, for messages. */
export function found({ text, at }: JsonScan): string {
  const code = text.codePointAt(at);
  return code === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(code));
}

function pathText(path: readonly (string | number)[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `/${step.slice(0, 60)}`)).join('');
  return text.replace(/^\//, '');
}
