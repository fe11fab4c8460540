import type { AskedRows, Row, Statement } from '../sql/statement.js';
import type { NamedStatement } from './row-stream.js';
import { textsInto } from './run.js';
import { nameOf, type StatementNames } from './statement-names.js';

/** Statements of a transaction that go out with its next one. */
export interface WaitingStatements {
  readonly add: (piece: Omit<NamedStatement, 'name'>) => void;
  /** Adds one whose rows are asked for later; where it has not gone out by then, `run` sends it, and what waits before it. */
  readonly ahead: (statement: Statement, run: (statement: Statement) => Promise<readonly Row[]>) => AskedRows;
  /** Those that wait; none does any more. */
  readonly take: () => readonly NamedStatement[];
  readonly some: () => boolean;
}

/** None yet. */
export function waitingStatements(names: StatementNames | undefined): WaitingStatements {
  let waiting: readonly NamedStatement[] = [];
  const add = (piece: Omit<NamedStatement, 'name'>): NamedStatement => {
    const named = { ...piece, name: nameOf(piece.statement, names) };
    waiting = [...waiting, named];
    return named;
  };
  return {
    add,
    ahead: (statement, run) => {
      const rows: Row[] = [];
      const piece = add({ statement, onRow: textsInto(rows) });
      const ask = async (): Promise<readonly Row[]> => {
        if (!waiting.includes(piece)) return rows;
        waiting = waiting.filter((one) => one !== piece);
        return run(statement);
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
