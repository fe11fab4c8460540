import { createHooks } from '../errors/hooks.js';
import type { Selection } from '../plan/read-plan.js';
import type { CellOrigin } from './cell.js';
import type { MembersWriter, RecordFormat } from './record-writer.js';

/** Writers that a feature provides. */
interface ResponseHooks {
  /** Writes the members of a row of a result of `$apply`. */
  readonly appliedMembers: (selection: Selection, format: RecordFormat, origin?: CellOrigin) => MembersWriter;
}

/** The hooks of `response`. */
export const responseHooks = createHooks<ResponseHooks>();
