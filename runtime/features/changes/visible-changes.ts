import type { EntityContainer } from '../../edm/entity-container.js';
import type { EntityType } from '../../edm/entity-type.js';
import { accessTo, type Caller } from '../../plan/caller.js';
import { type ReadFilter, rowFiltersOf } from '../../plan/row-filters.js';
import { identifier, type StatementBuilder } from '../../sql/builder.js';
import { compileCondition } from '../../sql/compile-expr.js';
import { compileRowBefore, isOfRow } from './before-image.js';
import { hasKey, setLiteral, trackedTypes } from './tracked-tables.js';

/**
 * The condition that a caller may know of a change `c` of the log: the record is visible, or was before the change.
 * Undefined where all are. The statement must apply the caller's row filters, so that tables have visible rows only.
 */
export function compileVisible(caller: Caller, container: EntityContainer, builder: StatementBuilder): string | undefined {
  const tracked = trackedTypes(container);
  const readable = tracked.filter((type) => accessTo(type, 'read', caller).allowed);
  const filters = rowFiltersOf(caller, container)?.read ?? [];
  const filterOf = ({ table }: EntityType): ReadFilter | undefined => filters.find((filter) => filter.table === table);
  if (readable.length === tracked.length && readable.every((type) => filterOf(type) === undefined)) return undefined;
  const cases = readable.map((type) => {
    const filter = filterOf(type);
    return `when ${setLiteral(type)} then ${filter === undefined ? 'true' : compileSeen(type, filter, builder)}`;
  });
  // A key is compared only with those of its own set, in whose type it can be read.
  return cases.length === 0 ? 'false' : `case c."#set" ${cases.join(' ')} else false end`;
}

function compileSeen(type: EntityType, { alias, condition }: ReadFilter, builder: StatementBuilder): string {
  const now = `exists (select from ${identifier(type.table)} seen where ${hasKey(type, 'seen', 'c."#key"')})`;
  if (condition === undefined || !isOfRow(condition)) return now;
  return `(${now} or (c."#before" is not null and exists (select from ${compileRowBefore(type, 'c."#before"')} ${alias} where ${compileCondition(condition, builder)})))`;
}
