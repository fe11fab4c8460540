import type { Bind, Statement } from '../sql/statement.js';
import { remembered } from '../uri/remembered.js';
import { escapeLiteral } from './driver.js';
import { arrayText } from './packet.js';
import { validity } from './plan-choice.js';

/** A statement with its values in the text, and its prepared name: PostgreSQL plans it once, for these values. */
interface ValuedStatement {
  readonly name: string;
  readonly statement: Statement;
}

/** Finds the statement with its values, where it has recurred with them; undefined until then. */
export type RecurringValues = (name: string, statement: Statement, now: number) => ValuedStatement | undefined;

/** The runs after which values count as recurring. */
const enough = 8;
/** The most statements with values of a pool: half of what a connection prepares. */
export const mostValued = 100;
/** The most values that are counted at a time. */
const mostCounted = 400;

/**
 * Counts the values of statements that no generic plan serves. After the validity of plans it begins anew, *because*
 * other values may recur by then.
 */
export function recurringValues(): RecurringValues {
  let given = 0;
  let left = mostValued;
  let until = 0;
  let count = counter();
  return (name, statement, now) => {
    if (now >= until) [count, left, until] = [counter(), mostValued, now + validity];
    const counted = count(`${name} ${JSON.stringify(statement.bind)}`);
    counted.runs += 1;
    if (counted.valued !== undefined || counted.runs <= enough || left === 0 || !isWritable(statement)) return counted.valued;
    left -= 1;
    return (counted.valued = { name: `gable_v${(given += 1)}`, statement: withValues(statement) });
  };
}

function counter(): (key: string) => { runs: number; valued: ValuedStatement | undefined } {
  return remembered(() => ({ runs: 0, valued: undefined }), { most: mostCounted });
}

// The protocol ends a text at its first zero byte.
function isWritable({ bind }: Statement): boolean {
  return !bind.flat().some((value) => value?.includes('\0'));
}

const placesOrQuoted = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g;

/** The statement with literals in place of its parameters. */
export function withValues({ text, bind, ...rest }: Statement): Statement {
  const literals = bind.map(literalOf);
  const valued = text.replace(placesOrQuoted, (found, place?: string) =>
    place === undefined ? found : (literals[Number(place) - 1] ?? found),
  );
  return { text: valued, bind: [], ...rest };
}

function literalOf(value: Bind): string {
  if (value === null) return 'null';
  return escapeLiteral(typeof value === 'string' ? value : arrayText(value));
}
