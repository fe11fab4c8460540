import type { InsideMembers } from './move-inside.js';
import type { ComplexShape } from '../plan/complex-selection.js';
import type { EntityType } from '../edm/index.js';
import { ByteWriter, type RowWriter } from './byte-writer.js';
import { createHooks } from '../errors/hooks.js';
import type { ReadPlan, Selection } from '../plan/read-plan.js';
import type { CellOrigin } from './cell.js';
import type { MembersWriter, RecordFormat, Cells } from './record-format.js';

/** How the rows of several sets are written, and the context URL of their collection. */
export interface CrossSetRows {
  readonly context: string;
  /** The members of a row of a cross join. */
  readonly members?: MembersWriter;
  /** Writes a row of `$all`. */
  readonly rows?: RowWriter;
}

/** A complex value that may have links, itself or in a value within it. */
export interface LinkedValue {
  readonly type: EntityType;
  readonly shape: ComplexShape;
  /** The path to it from the record, without casts, and its address. */
  readonly path: string;
  readonly address: string;
}

/** The links of full metadata; clients construct those of other metadata themselves. */
interface FullLinks {
  /** Those of navigation properties and operations. */
  readonly steps: (selection: Selection, format: RecordFormat, origin: CellOrigin) => readonly MembersWriter[];
  /** Inserts those of complex values into a record that was written from an offset on; undefined where there are none. */
  readonly ofValues: (
    selection: Selection,
    format: RecordFormat,
    origin: CellOrigin,
  ) => ((out: ByteWriter, from: number, cells: Cells) => void) | undefined;
  /** Inserts those of a value that is alone in the output. */
  readonly ofValue: (out: ByteWriter, value: LinkedValue) => void;
}

interface StreamMembers {
  readonly steps: (selection: Selection, format: RecordFormat, origin: CellOrigin) => readonly MembersWriter[];
  /** Those of complex values' streams, which are members of those values. */
  readonly within: (selection: Selection, format: RecordFormat, origin: CellOrigin) => readonly InsideMembers[];
}

/** Writers that a feature provides. */
interface ResponseHooks {
  /** The writers of a read of several sets. */
  readonly crossSetRows: (read: Pick<ReadPlan, 'selection' | 'sets'>, format: RecordFormat) => CrossSetRows;
  readonly fullLinks: FullLinks;
  readonly streamMembers: StreamMembers;
  /** Writes the members of a row of a result of `$apply`. */
  readonly appliedMembers: (selection: Selection, format: RecordFormat) => MembersWriter;
}

/** The hooks of `response`. */
export const responseHooks = createHooks<ResponseHooks>();
