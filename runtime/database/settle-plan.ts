import type { Row, Statement } from '../sql/statement.js';
import { isPlannedAlike } from './compare-plans.js';
import { noteComparison, takeComparison } from './plan-choice.js';
import type { PlanMode } from './plan-mode.js';
import { streamRows } from './row-stream.js';
import { textsInto } from './row-texts.js';
import { preparedOn, type NamedText } from './statement-names.js';
import { isConnectionLost } from './unavailable.js';

type ExplainingClient = Parameters<typeof streamRows>[0] & { readonly connection: object };

/** Compares the plans of a prepared statement before its run, where a comparison is due. */
export function comparisonDue(client: ExplainingClient, statement: Statement, { name, choice }: NamedText): Promise<void> | undefined {
  const bind = preparedOn(client.connection).has(name) ? takeComparison(choice, statement.bind, performance.now()) : undefined;
  return bind && compare(client, { ...statement, bind }, { name, choice });
}

async function compare(client: ExplainingClient, statement: Statement, { name, choice }: NamedText): Promise<void> {
  const explain = async (asked: Statement, modes?: readonly PlanMode[]): Promise<string> => {
    const rows: Row[] = [];
    await streamRows(client, asked, { name: undefined, modes, onRow: textsInto(rows) });
    return rows[0]?.[0] ?? '';
  };
  try {
    noteComparison(choice, await isPlannedAlike(statement, name, explain), performance.now());
  } catch (failure) {
    noteComparison(choice, false, performance.now());
    // A failing comparison is ignored: the statement reports its own faults. A pooler may know it by another name.
    if (isConnectionLost(failure)) throw failure;
  }
}
