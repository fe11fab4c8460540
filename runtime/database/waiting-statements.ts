import type { AskedRows, Row, Statement } from '../sql/statement.js';
import type { NamedStatement } from './row-stream.js';
import { textsInto } from './row-texts.js';
import { namedText, type StatementNames } from './statement-names.js';

/** Statements of a transaction that are sent with its next one. */
interface WaitingStatements {
  readonly add: (piece: Omit<NamedStatement, 'name'>) => void;
  /** Queues a statement whose rows are needed later; `run` sends the queue if nothing else does. */
  readonly ahead: (statement: Statement, run: (statement: Statement) => Promise<readonly Row[]>) => AskedRows;
  /** Removes and returns the queued statements. */
  readonly take: () => readonly NamedStatement[];
  readonly some: () => boolean;
}

/** An empty queue. */
export function waitingStatements(names: StatementNames | undefined): WaitingStatements {
  let waiting: readonly NamedStatement[] = [];
  const answers = new Map<NamedStatement, Row[]>();
  const add = (piece: Omit<NamedStatement, 'name'>): NamedStatement => {
    const named = { ...piece, name: namedText(piece.statement, names)?.name };
    waiting = [...waiting, named];
    return named;
  };
  return {
    add,
    ahead: (statement, run) => {
      const rows: Row[] = [];
      const piece = add({ statement, onRow: textsInto(rows) });
      answers.set(piece, rows);
      const ask = async (): Promise<readonly Row[]> => {
        // All queued statements are sent together, in order, in which they also get their numbers.
        if (!waiting.includes(piece)) return rows;
        const asked = waiting.filter((one) => answers.has(one));
        const last = asked.at(-1) ?? piece;
        const behind = waiting.slice(waiting.indexOf(last) + 1);
        waiting = waiting.slice(0, waiting.indexOf(last));
        const answer = run(last.statement);
        waiting = [...waiting, ...behind];
        answers.get(last)?.push(...(await answer));
        return rows;
      };
      let asked: Promise<readonly Row[]> | undefined;
      return () => (asked ??= ask());
    },
    take: () => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    some: () => waiting.length > 0,
  };
}
