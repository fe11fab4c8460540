import type { WriteStream } from 'node:tty';

/** Wraps a text in a terminal colour. */
export type Paint = (text: string, color: number) => string;

/** Colours on a terminal, unless NO_COLOR is set; everywhere with FORCE_COLOR. */
export function painter({ isTTY }: Pick<WriteStream, 'isTTY'>): Paint {
  return (text, color) => (hasColors(isTTY) ? `\u001b[${color}m${text}\u001b[0m` : text);
}

function hasColors(isTTY: boolean | undefined): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force = '' } = process.env;
  if (no !== '') return false;
  return (force !== '' && force !== '0' && force !== 'false') || (force === '' && isTTY === true);
}
