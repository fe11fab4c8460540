import type { WriteStream } from 'node:tty';
import { grouped } from '../../runtime/edm/grouped.js';
import { ModelError, printFault, printFrame, type Diagnostic } from '../model-error.js';
import { recoveries } from '../policy.js';
import { exitCodes } from './exit-codes.js';
import type { Found } from './print-outcome.js';
import { painter } from './painter.js';

// Real documents repeat their faults: after so many warnings of a code, the others are counted.
const printedPerCode = 3;

/** The exit code of a command whose work fails with the faults of a model; they are printed. */
export async function withFaults(
  work: () => number | Promise<number>,
  print: (error: ModelError) => void = (error) => void process.stderr.write(printDiagnostics(error, process.stderr)),
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    print(error);
    return exitCodes.badInput;
  }
}

/** Every fault with its frame, the first warnings of each code, and the counts; empty without diagnostics. */
export function printDiagnostics({ sources, diagnostics }: Found, stream: Pick<WriteStream, 'isTTY'>): string {
  if (diagnostics.length === 0) return '';
  const paint = painter(stream);
  const { shown, folded } = fold(diagnostics);
  const blocks = shown.map((diagnostic) => {
    const { severity, at } = diagnostic;
    const color = severity === 'error' ? 31 : 33;
    return `${printFault(sources, diagnostic).replace(` ${severity} `, ` ${paint(severity, color)} `)}\n${printFrame(sources, at)}`;
  });
  const more = [...folded].map(([code, count]) => `... and ${counted(count, 'more warning').toLowerCase()} ${code}\n`);
  return `${blocks.join('\n')}\n${more.join('')}${countOf(diagnostics)}\n${folded.size > 0 ? 'gable doctor sorts and explains them; gable generate --json lists all.\n' : ''}`;
}

function fold(diagnostics: readonly Diagnostic[]): { readonly shown: readonly Diagnostic[]; readonly folded: ReadonlyMap<string, number> } {
  const warnings = grouped(
    diagnostics.filter(({ severity }) => severity === 'warning'),
    ({ code }) => code,
  );
  const folded = new Set([...warnings.values()].flatMap((same) => same.slice(printedPerCode)));
  const counts = [...warnings].map(([code, same]) => [code, same.length - printedPerCode] as const);
  return { shown: diagnostics.filter((one) => !folded.has(one)), folded: new Map(counts.filter(([, count]) => count > 0)) };
}

function countOf(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const parts = [...(errors > 0 ? [counted(errors, 'fault')] : []), ...(warnings > 0 ? [counted(warnings, 'warning')] : [])];
  return `${parts.join(', ').replace(', One', ', one')}${errors > 0 ? `; nothing was written.${wayOut(diagnostics)}` : '.'}`;
}

// The advice to use lenient mode, where it recovers from every fault.
function wayOut(diagnostics: readonly Diagnostic[]): string {
  const continues = diagnostics.every(({ code, severity, inOverlay }) => severity === 'warning' || (recoveries.has(code) && !inOverlay));
  return continues
    ? '\nWith --lenient the run continues, with a warning for each; gable doctor explains how.'
    : '\ngable explain CODE explains a fault, as /docs/model-errors.html#CODE of a service does.';
}

function counted(count: number, what: string): string {
  return count === 1 ? `One ${what}` : `${count} ${what}s`;
}
