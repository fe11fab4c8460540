import type { StatementStructures } from './ts-morph.js';
import type { EntityNode, FieldNode, NavigationNode } from '../graph/model-graph.js';
import { printTable, referTo, type LiteralObject } from './print-literal.js';
import { constant, contract, typeImport, valueImport, type Emitted } from './structures.js';

/** The allowed names: field table and navigation table. */
export function emitFields({ constant: prefix, fields, navigation }: EntityNode): Emitted {
  const navigationTable = printTable(Object.fromEntries(navigation.map((node) => [node.name, navigationOf(node)])));
  return [
    typeImport(contract, 'FieldTable', 'NavigationTable'),
    ...fieldTable(prefix, fields, 'Structural properties in the order of the model. Queries can use these names only.'),
    constant(
      `${prefix}Navigation`,
      `${navigationTable} as const satisfies NavigationTable`,
      'Navigation properties, and the columns that join them.',
    ),
  ];
}

function navigationOf({ navigation: { through, ...facts } }: NavigationNode): LiteralObject {
  return { ...facts, ...(through && { through: { ...through } }) };
}

/** Imports of the properties' enumerations. */
export function enumerationImports(
  fields: readonly Pick<FieldNode, 'enumeration'>[],
  from = '../enumerations.js',
): readonly StatementStructures[] {
  const enumerations = [...new Set(fields.flatMap(({ enumeration }) => enumeration?.constant ?? []))];
  return enumerations.length === 0 ? [] : [valueImport(from, ...enumerations)];
}

/** A field table with one line per property, and its imports. */
export function fieldTable(prefix: string, fields: readonly FieldNode[], doc: string): Emitted {
  const rows = printTable(Object.fromEntries(fields.map((node) => [node.name, fieldLiteral(node)])));
  return [...enumerationImports(fields), constant(`${prefix}Fields`, `${rows} as const satisfies FieldTable`, doc)];
}

/** A row of a field table; the table of an enumeration is shared by its properties. */
export function fieldLiteral({ field, enumeration }: FieldNode): LiteralObject {
  const { type, enumeration: table, ...facts } = field;
  return { type, ...(table && enumeration && { enumeration: referTo(enumeration.constant) }), ...facts };
}
