import { terms } from '../csdl/terms.js';
import { textValue, type Notes } from '../csdl/vocabulary.js';
import { faults } from '../faults.js';
import type { Context } from './context.js';
import { maxColumnBytes, systemColumns } from './names.js';

/** The name of the table or column in Rules.Storage; names with # are reserved. */
export function storageName(notes: Notes, owner: string, { report }: Pick<Context, 'report'>): string | undefined {
  const said = textValue(notes.find(terms.storage)?.value, terms.storage, report);
  if (said === undefined) return undefined;
  const { at, value } = said;
  const wrong = (why: string): undefined => {
    report(faults.storageName(at, owner, `'${value}'`, why));
    return undefined;
  };
  if (Buffer.byteLength(value) > maxColumnBytes) return wrong(`PostgreSQL's names have at most ${maxColumnBytes} bytes`);
  if (systemColumns.has(value)) return wrong('every table of PostgreSQL has a column of that name');
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(value) ? value : wrong('a name has letters, digits and _, and no digit first');
}
