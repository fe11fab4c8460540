import type { Sources } from './sources.js';

/** One thing that is wrong with a model: where, what, and how to mend it. */
export interface Fault {
  readonly code: string;
  /** Place among the texts of the run, line breaks read as one character. */
  readonly at: number;
  readonly message: string;
  readonly hint: string;
}

/** Whether a run goes on after a fault. */
export type Severity = 'error' | 'warning';

/** A fault and what the policy makes of it. */
export interface Diagnostic extends Fault {
  readonly severity: Severity;
}

/** A model that cannot be generated from, with everything that was found in it. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(
    readonly sources: Sources,
    readonly diagnostics: readonly Diagnostic[],
  ) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    super(`${sources.locate(0).path} has ${errors === 1 ? 'a fault' : `${errors} faults`}.`);
  }
}

/** Faults in the order of the texts, each said once. */
export function sortFaults<Item extends Fault>(faults: readonly Item[]): readonly Item[] {
  const seen = new Set<string>();
  const isNew = ({ at, code, message }: Item): boolean => {
    const key = `${at} ${code} ${message}`;
    return !seen.has(key) && seen.add(key).size > 0;
  };
  return [...faults].sort((a, b) => a.at - b.at || a.code.localeCompare(b.code, 'en')).filter(isNew);
}

/** The line that editors and terminals turn into a link: `file:line:column severity CODE message; hint`. */
export function printFault(sources: Sources, { code, severity, at, message, hint }: Diagnostic): string {
  const { path, line, column } = sources.locate(at);
  return `${path}:${line}:${column} ${severity} ${code} ${message.replace(/\.$/, '')}; ${afterSemicolon(hint)}`;
}

function afterSemicolon(hint: string): string {
  return /^[A-Z][a-z ]/.test(hint) ? (hint[0] ?? '').toLowerCase() + hint.slice(1) : hint;
}

/** The faulty line with a caret under the place; long lines are cut around it. */
export function printFrame(sources: Sources, at: number): string {
  const { text, line, column } = sources.locate(at);
  if (text === '') return '';
  const source = text.split('\n')[line - 1] ?? '';
  const start = Math.max(0, column - 61);
  const snippet = source.slice(start, start + 120).replace(/[\u0000-\u001f\u007f]/g, ' ');
  const gutter = `${line} | `;
  return `${gutter}${snippet}\n${' '.repeat(gutter.length - 2)}| ${' '.repeat(column - 1 - start)}^\n`;
}
