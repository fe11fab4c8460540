import { errors } from '../../errors/catalogue.js';
import { expandedLimits, expandsFew } from '../../plan/limits.js';
import type { ReadPlan } from '../../plan/read-plan.js';
import { compileExpandedCount } from '../../sql/compile-read.js';
import type { Connection, Statement } from '../../sql/statement.js';

/** The statement that counts the expanded entities of a read; undefined where limits of single collections suffice. */
export function compileExpanded(read: ReadPlan): Statement | undefined {
  if (expandsFew(read)) return undefined;
  if (read.sets) throw tooMany(`too many records in one response: the limit is ${expandedLimits.records}`, '$top');
  return compileExpandedCount(read, expandedLimits.records);
}

/**
 * Rejects a page with too many expanded entities in total, before the first is read: each collection has its own limit,
 * but nested collections multiply.
 */
export async function requireFewExpanded(statement: Statement, connection: Connection): Promise<void> {
  const [row] = await connection.run(statement);
  const [records = 0, values = 0] = (row ?? []).map(Number);
  if (records > expandedLimits.records) throw tooMany(`more than ${expandedLimits.records} records in one response`, '$top or $filter');
  if (values > expandedLimits.values)
    throw tooMany(
      `${records} records with ${values} values in one response, where the limit is ${expandedLimits.values}`,
      '$select, $top or $filter',
    );
}

function tooMany(what: string, options: string): Error {
  return errors.limitExceeded(`$expand results in ${what}; write ${options} within $expand, or request a smaller page.`).at('$expand');
}
