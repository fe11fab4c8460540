import { literal } from '../../runtime/schema/identifier.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { shownPath } from './model-names.js';
import { keptHomes } from './moves.js';
import { renamedTypes, typed } from './record-types.js';
import { fillOf, lossOf, type Decisions, type Problem } from './step.js';

/** Properties that a type no longer has, while its rows stay: their values would be invisible. */
export function hiddenValueProblems(old: Table, wanted: Table, decisions: Decisions): readonly Problem[] {
  const kept = keptTypes(old, wanted, decisions);
  return keptHomes(old, wanted).flatMap(({ former, home: { column } }): readonly Problem[] => {
    const path = shownPath(wanted.name, column.name).join('/');
    const hidden = kept.filter(({ was, is }) => has(former.column, was) && !has(column, is)).map(({ is }) => is);
    if (hidden.length === 0) return [];
    const text = `${path} becomes a property of ${column.of?.join(' and ')} only, and no longer of ${hidden.join(' and ')}, whose records keep its values but hide them. Change their type with a separate migration`;
    return lossOf(wanted.name, column.name, text, decisions);
  });
}

/** A type that rows have, by its old and new names. */
interface KeptType {
  readonly was: string;
  readonly is: string;
}

/** The types of existing rows that stay; none where all rows will have one type. */
export function keptTypes(old: Table, wanted: Table, decisions: Decisions): readonly KeptType[] {
  const [before, after] = [typed(old), typed(wanted)];
  const now = after?.types;
  if (after === undefined || now === undefined) return [];
  // Without the type column all rows have one type, which fills it; none is known before that is decided.
  if (before === undefined) {
    const fill = fillOf(wanted.name, after, decisions);
    return now.filter((is) => literal(is) === fill).map((is) => ({ was: is, is }));
  }
  const { types = [], abstract = [] } = before;
  const renamed = renamedTypes(types, now, after.typesFrom ?? {});
  return types
    .filter((type) => !abstract.includes(type))
    .map((was) => ({ was, is: renamed.get(was) ?? was }))
    .filter(({ is }) => now.includes(is));
}

function has({ of }: Column, type: string): boolean {
  return of === undefined || of.includes(type);
}
