import type { Sources } from './sources.js';

/** A fault of a model: its position, message and hint. */
export interface Fault {
  readonly code: string;
  /** Offset among the texts of the run, with each line break counted as one character. */
  readonly at: number;
  readonly message: string;
  readonly hint: string;
  /** The join that a rule inferred, as in the message. */
  readonly inferred?: { readonly join: string; readonly rule: string };
  /** The positions of misspelt names that it follows from. */
  readonly follows?: readonly number[];
}

/** Whether the run continues after the fault. */
export type Severity = 'error' | 'warning';

/** A fault with the severity that the policy gives it. */
export interface Diagnostic extends Fault {
  readonly severity: Severity;
  /** It is in the overlay, which no mode recovers from. */
  readonly inOverlay?: true;
}

/** The error for an invalid model, with all findings. */
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

/**
 * The part of a message that distinguishes faults at one position, without the inheriting type and the entity source.
 */
const templates: { readonly [code: string]: (message: string) => string } = {
  CSDL017: () => '',
  CSDL020: (message) => message.replace(/: .*? has no property /, ': '),
  CSDL021: (message) => message.replace(/: .*? has no navigation property /, ': '),
  ...Object.fromEntries(['CSDL024', 'CSDL025', 'CSDL026', 'CSDL027', 'CSDL098', 'CSDL101', 'CSDL116'].map((code) => [code, withoutOwner])),
};

function withoutOwner(message: string): string {
  return message.slice(message.indexOf(': '));
}

/** Faults in the form of an element, after which its content is unknown. */
const ofForm: ReadonlySet<string> = new Set(['CSDL005', 'CSDL008', 'CSDL009', 'CSDL010', 'CSDL011', 'CSDL073']);

/** Unknown names of terms and of members of records. */
const ofNames: ReadonlySet<string> = new Set(['CSDL036', 'CSDL037']);

/** Faults that never follow from others: limits, duplicate names, and the end of a run. */
const ofThemselves: ReadonlySet<string> = new Set([...ofForm, 'CSDL004', 'CSDL012', 'CSDL039', 'CSDL077']);

/** Faults in the order of the texts, without duplicates and those that follow from others. */
export function sortFaults(faults: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  const isNew = ({ at, code, message }: Diagnostic): boolean => {
    const key = `${at} ${code} ${templates[code]?.(message) ?? message}`;
    return !seen.has(key) && seen.add(key).size > 0;
  };
  // After a warning the element was repaired, and nothing follows from it.
  const formless = new Set(faults.flatMap(({ at, code, severity }) => (ofForm.has(code) && severity === 'error' ? [at] : [])));
  const isFirst = ({ at, code }: Diagnostic): boolean => !formless.has(at) || ofThemselves.has(code);
  const misspelt = new Set(faults.flatMap(({ at, code, severity }) => (ofNames.has(code) && severity === 'error' ? [at] : [])));
  return faults
    .filter(isFirst)
    .filter(({ follows = [] }) => !follows.some((at) => misspelt.has(at)))
    .sort((a, b) => a.at - b.at || a.code.localeCompare(b.code, 'en'))
    .filter(isNew);
}

/** The fault as a line that editors and terminals turn into a link: `file:line:column severity CODE message; hint`. */
export function printFault(sources: Sources, { code, severity, at, message, hint }: Diagnostic): string {
  const { path, line, column } = sources.locate(at);
  return `${path}:${line}:${column} ${severity} ${code} ${message.replace(/\.$/, '')}; ${afterSemicolon(hint)}`;
}

/** A sentence after a semicolon: in lower case, unless it begins with a name. */
export function afterSemicolon(hint: string): string {
  return /^[A-Z][a-z ]/.test(hint) ? (hint[0] ?? '').toLowerCase() + hint.slice(1) : hint;
}

/** The faulty line with a caret below the position; long lines are cut around it. */
export function printFrame(sources: Sources, at: number): string {
  const { text, line, column } = sources.locate(at);
  if (text === '') return '';
  const source = text.split('\n')[line - 1] ?? '';
  const start = Math.max(0, column - 61);
  const snippet = source.slice(start, start + 120).replace(/[\u0000-\u001f\u007f]/g, ' ');
  const gutter = `${line} | `;
  return `${gutter}${snippet}\n${' '.repeat(gutter.length - 2)}| ${' '.repeat(column - 1 - start)}^\n`;
}
