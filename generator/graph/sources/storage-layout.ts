import { terms } from '../../csdl/terms.js';
import { booleanValue, numberValue, recordValue } from '../../csdl/vocabulary.js';
import type { BuiltSet, Context } from '../built-model.js';
import type { StorageLayout } from '../storage.js';

/** The division of a set's table that Rules.StorageLayout asks for. */
export function storageLayout({ notes }: BuiltSet, { report }: Context): StorageLayout | undefined {
  const term = terms.storageLayout;
  const record = recordValue(notes.find(term)?.value, term, report);
  if (record === undefined) return undefined;
  const partitionRows = numberValue(record.member('PartitionRows'), term, report);
  const keptDays = numberValue(record.member('KeptDays'), term, report);
  return {
    at: record.at,
    distributed: booleanValue(record.member('Distributed'), term, false, report),
    ...(partitionRows !== undefined && { partitionRows }),
    ...(keptDays !== undefined && { keptDays }),
  };
}
