/** One thing that is wrong with a model: where, what, and how to mend it. */
export interface Fault {
  readonly code: string;
  /** Offset in the text of the model, line breaks read as one character. */
  readonly at: number;
  readonly message: string;
  readonly hint: string;
}

/** A place in the model as editors count it, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A model that cannot be generated from, with every fault that was found in it. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(
    readonly path: string,
    readonly text: string,
    readonly faults: readonly Fault[],
  ) {
    super(`${path} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`);
  }
}

/** Line and column of an offset. */
export function placeOf(text: string, at: number): Place {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - before.lastIndexOf('\n') };
}

/** Faults in the order of the document, each said once. */
export function sortFaults(faults: readonly Fault[]): readonly Fault[] {
  const seen = new Set<string>();
  const isNew = ({ at, code, message }: Fault): boolean => {
    const key = `${at} ${code} ${message}`;
    return !seen.has(key) && seen.add(key).size > 0;
  };
  return [...faults].sort((a, b) => a.at - b.at || a.code.localeCompare(b.code, 'en')).filter(isNew);
}

/** The line that editors and terminals turn into a link. */
export function printFault(path: string, text: string, { code, at, message, hint }: Fault): string {
  const { line, column } = placeOf(text, at);
  return `${path}:${line}:${column} error ${code} ${message} ${hint}`;
}

/** The faulty line with a caret under the place; long lines are cut around it. */
export function printFrame(text: string, at: number): string {
  const { line, column } = placeOf(text, at);
  const source = text.split('\n')[line - 1] ?? '';
  const start = Math.max(0, column - 61);
  const snippet = source.slice(start, start + 120).replace(/[\u0000-\u001f\u007f]/g, ' ');
  const gutter = `${line} | `;
  return `${gutter}${snippet}\n${' '.repeat(gutter.length - 2)}| ${' '.repeat(column - 1 - start)}^`;
}
