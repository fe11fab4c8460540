import { changeTable, type EntityContainer, type EntityType } from '../../edm/index.js';
import { accessTo, type Caller, hiddenKey } from '../../plan/caller.js';
import { rowFiltersOf } from '../../http/service.js';
import type { ReadFilter } from '../../plan/row-filter.js';
import { quote } from '../../schema/identifier.js';
import { columnReference, type StatementBuilder } from '../../sql/builder.js';
import { compileCondition } from '../../sql/compile-expr.js';
import { compileRowBefore, isOfRow } from './before-image.js';
import { hasKey, setLiteral, trackedTypes } from './tracked-tables.js';

/**
 * The condition that a caller may know of a change of the log: its record was visible before the change or after it, with
 * its key, which the log has.
 * Undefined where all are. The statement must apply the caller's row filters, so that tables have visible rows only.
 */
export function compileVisible(caller: Caller, container: EntityContainer, builder: StatementBuilder): string | undefined {
  const tracked = trackedTypes(container);
  const readable = tracked.filter((type) => accessTo(type, 'read', caller).allowed && hiddenKey(type, caller) === undefined);
  if (readable.length === tracked.length && readable.every((type) => readFilter(type, caller, container) === undefined)) return undefined;
  const cases = readable.map(
    (type) => `when ${setLiteral(type)} then ${compileVisibleThen(type, { caller, container }, 'c', builder) ?? 'true'}`,
  );
  // A key is compared only with keys of the same set, in whose type it can be read.
  return cases.length === 0 ? 'false' : `case c."#set" ${cases.join(' ')} else false end`;
}

/** The same for the changes of one set; undefined where all are visible. */
function compileVisibleThen(type: EntityType, viewer: Viewer, change: string, builder: StatementBuilder): string | undefined {
  const filter = readFilter(type, viewer.caller, viewer.container);
  const next = filter && compileVisibleBefore(type, filter, 'next', builder);
  // Whether a row meets a filter through other rows is known for their present state only.
  if (filter === undefined || next === undefined) return compileVisibleOf(type, viewer, change, builder);
  const [set, key, number] = ['#set', '#key', '#id'].map((column) => columnReference(change, column));
  // A record is after a change as it is before the next one.
  const after = `(select ${next} from ${quote(changeTable)} next where next."#set" = ${set} and next."#key" = ${key} and next."#id" > ${number} order by next."#id" limit 1)`;
  const before = compileVisibleBefore(type, filter, change, builder);
  return `(${before} or coalesce(${after}, ${compileVisibleNow(type, change)}))`;
}

interface Viewer {
  readonly caller: Caller;
  readonly container: EntityContainer;
}

/** The condition that a caller sees the record of a change now, or saw it before; undefined where all are visible. */
export function compileVisibleOf(
  type: EntityType,
  { caller, container }: Viewer,
  change: string,
  builder: StatementBuilder,
): string | undefined {
  const filter = readFilter(type, caller, container);
  if (filter === undefined) return undefined;
  const now = compileVisibleNow(type, change);
  const before = compileVisibleBefore(type, filter, change, builder);
  return before === undefined ? now : `(${now} or ${before})`;
}

function compileVisibleNow(type: EntityType, change: string): string {
  return `exists (select from ${quote(type.table)} seen where ${hasKey(type, 'seen', columnReference(change, '#key'))})`;
}

/** The condition that a record was visible before a change; undefined where only the present tells. */
export function compileVisibleBefore(
  type: EntityType,
  { alias, condition }: Pick<ReadFilter, 'alias' | 'condition'>,
  change: string,
  builder: StatementBuilder,
): string | undefined {
  if (condition === undefined || !isOfRow(condition)) return undefined;
  const before = columnReference(change, '#before');
  return `(${before} is not null and exists (select from ${compileRowBefore(type, before)} ${alias} where ${compileCondition(condition, builder)}))`;
}

/** The row filter of a caller for reading a set. */
export function readFilter({ table }: EntityType, caller: Caller, container: EntityContainer): ReadFilter | undefined {
  return rowFiltersOf(caller, container)?.read.find((filter) => filter.table === table);
}
