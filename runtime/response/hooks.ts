import { createHooks } from '../errors/hooks.js';
import type { ReadPlan, Selection } from '../plan/read-plan.js';
import type { RowWriter } from './byte-writer.js';
import type { CellOrigin } from './cell.js';
import type { MembersWriter, RecordFormat } from './record-format.js';

/** How the rows of several sets are written, and the context URL of their collection. */
export interface CrossSetRows {
  readonly context: string;
  /** The members of a row of a cross join. */
  readonly members?: MembersWriter;
  /** Writes a row of `$all`. */
  readonly rows?: RowWriter;
}

/** Writers that a feature provides. */
interface ResponseHooks {
  /** The writers of a read of several sets. */
  readonly crossSetRows: (read: Pick<ReadPlan, 'selection' | 'sets'>, format: RecordFormat) => CrossSetRows;
  /** Writes the members of a row of a result of `$apply`. */
  readonly appliedMembers: (selection: Selection, format: RecordFormat, origin?: CellOrigin) => MembersWriter;
}

/** The hooks of `response`. */
export const responseHooks = createHooks<ResponseHooks>();
