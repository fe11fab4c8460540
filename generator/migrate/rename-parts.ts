import { quote } from '../../runtime/schema/identifier.js';
import { printConstraint, printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Constraint, Index, Schema } from '../../runtime/schema/schema.js';

/** The schema whose indexes and constraints have the names of the wanted ones; after a rename they are renamed, not recreated. */
export function renameParts(schema: Schema, wanted: Schema): { readonly schema: Schema; readonly statements: readonly string[] } {
  const statements: string[] = [];
  const tables = schema.tables.map((table) => {
    const target = wanted.tables.find(({ name }) => name === table.name);
    if (target === undefined) return table;
    const constraints = table.constraints.map((part) =>
      renamePart(part, table.constraints, target.constraints, ruleOf, (to) =>
        statements.push(`alter table ${quote(table.name)} rename constraint ${quote(part.name)} to ${quote(to)};`),
      ),
    );
    const indexes = table.indexes.map((part) =>
      renamePart(part, table.indexes, target.indexes, bodyOf, (to) =>
        statements.push(`alter index ${quote(part.name)} rename to ${quote(to)};`),
      ),
    );
    return { ...table, constraints, indexes };
  });
  return { schema: { ...schema, tables }, statements };
}

function renamePart<Part extends Constraint | Index>(
  part: Part,
  old: readonly Part[],
  wanted: readonly Part[],
  textOf: (part: Part) => string,
  onRename: (to: string) => void,
): Part {
  if (wanted.some(({ name }) => name === part.name)) return part;
  const match = wanted.find((other) => textOf(other) === textOf(part) && !old.some(({ name }) => name === other.name));
  if (match === undefined) return part;
  onRename(match.name);
  return { ...part, name: match.name };
}

/** The definition of a constraint, without its name. */
export function ruleOf(constraint: Constraint): string {
  return printConstraint({ ...constraint, name: '' });
}

/** The definition of an index, without its name. */
export function bodyOf(index: Index): string {
  return `${index.unique ? 'unique ' : ''}${printIndexBody(index)}`;
}
