import { quote } from '../../runtime/schema/identifier.js';
import { printSchema } from '../../runtime/schema/print-schema.js';
import type { Schema } from '../../runtime/schema/schema.js';
import type { Manner, Step } from './step.js';

/** The first migration, for an empty database, in one transaction. */
export function printInitial(schema: Schema, origin: string): string {
  return `${heading('0001', origin)}${printSchema(schema)}`;
}

/** A later migration, step by step; the first line of each says how it runs and what it costs. */
export function printMigration(number: string, steps: readonly Step[], origin: string): string {
  const blocks = steps.map(({ phase, manner, statements, costs }, index) => {
    const first = `-- step ${index + 1} ${phase}, ${mannerText(manner)}: ${costs.join('; ') || 'no lock that anyone waits for'}`;
    return `${[first, ...statements].join('\n')}\n`;
  });
  return `${heading(number, origin)}${blocks.join('\n')}`;
}

// A line break in the model's name would end the comment.
function heading(number: string, origin: string): string {
  const from = origin.replace(/[^\x20-\x7e]/g, '?');
  return `-- Migration ${number} of ${from}, made once by \`gable generate\`: yours to complete before it is applied, and never to be changed after.\n`;
}

function mannerText(manner: Manner): string {
  switch (manner.kind) {
    case 'transaction':
      return 'in one transaction';
    case 'batches':
      return `in batches over ${quote(manner.table)}`;
    case 'alone':
      return 'outside of a transaction';
  }
}
