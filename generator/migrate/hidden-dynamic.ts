import { openColumn } from '../../runtime/edm/lookup.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { principalOf } from './gone-column.js';
import { shownPath } from './model-names.js';
import { homesOf } from './moves.js';
import { lookingFor, type Step } from './step.js';

/**
 * Looks for dynamic properties with the name of a renamed property, or of a new navigation property or stream: they have
 * no place in it, and a response would have both. `adoptDynamic` moves those of other new properties.
 */
export function lookForHiddenDynamic(
  old: Schema,
  { schema, names }: { readonly schema: Schema; readonly names: ReadonlyMap<string, string> },
  wanted: Schema,
): readonly Step[] {
  return wanted.tables.filter(isOpen).flatMap((table): readonly Step[] => {
    const before = old.tables.find(({ name }) => (names.get(name) ?? name) === table.name);
    if (before === undefined || !isOpen(before)) return [];
    const kept = schema.tables.find(({ name }) => name === table.name);
    const had = shownNames(before);
    const renamed = shownNames(kept ?? before);
    const taken = shownNames(table).filter((name) => !had.includes(name) && (renamed.includes(name) || !isColumn(table, name)));
    return taken.map((name) => lookFor(before.name, name));
  });
}

function isOpen({ columns }: Table): boolean {
  return columns.some(({ name }) => name === openColumn);
}

function isColumn(table: Table, name: string): boolean {
  return homesOf(table).some(({ column }) => column.name === name);
}

// The declared properties that a table stores.
function shownNames(table: Table): readonly string[] {
  const columns = homesOf(table).filter(({ column }) => column.generated === undefined && column.holds === undefined);
  return columns
    .map(({ column }) => column.name)
    .filter((name) => !/^#(?!.*\.stream$)/s.test(name) || principalOf(name, table) !== undefined)
    .map((name) => shownPath(table.name, name)[1]);
}

function lookFor(table: string, name: string): Step {
  const why = 'a dynamic property with its name stops it';
  return lookingFor('expand', { table, name, why }, ` where "row".${quote(openColumn)} ? ${literal(name)}`);
}
