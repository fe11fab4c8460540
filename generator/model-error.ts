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
  /** It lies in the overlay, where no mode goes on after it. */
  readonly inOverlay?: true;
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

/** What of a message tells one fault from another at its place: not which type inherits it, and not where its values are. */
const said: { readonly [code: string]: (message: string) => string } = {
  CSDL017: () => '',
  CSDL020: (message) => message.replace(/: .*? has no property /, ': '),
  CSDL021: (message) => message.replace(/: .*? has no navigation property /, ': '),
  ...Object.fromEntries(
    ['CSDL024', 'CSDL025', 'CSDL026', 'CSDL027', 'CSDL098', 'CSDL101', 'CSDL103', 'CSDL116'].map((code) => [code, withoutOwner]),
  ),
};

function withoutOwner(message: string): string {
  return message.slice(message.indexOf(': '));
}

/** Faults of the form of an element: what it says is not known. */
const ofForm: ReadonlySet<string> = new Set(['CSDL008', 'CSDL009', 'CSDL010', 'CSDL011', 'CSDL073']);

/** Faults that no other one brings along: limits, names that are there twice, and the end of a run. */
const ofThemselves: ReadonlySet<string> = new Set([...ofForm, 'CSDL004', 'CSDL012', 'CSDL039', 'CSDL077']);

/** Faults in the order of the texts, each said once, without those that follow from another. */
export function sortFaults(faults: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  const isNew = ({ at, code, message }: Diagnostic): boolean => {
    const key = `${at} ${code} ${said[code]?.(message) ?? message}`;
    return !seen.has(key) && seen.add(key).size > 0;
  };
  // What only warns was recovered from, and nothing follows.
  const formless = new Set(faults.flatMap(({ at, code, severity }) => (ofForm.has(code) && severity === 'error' ? [at] : [])));
  const isFirst = ({ at, code }: Diagnostic): boolean => !formless.has(at) || ofThemselves.has(code);
  return faults
    .filter(isFirst)
    .sort((a, b) => a.at - b.at || a.code.localeCompare(b.code, 'en'))
    .filter(isNew);
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
