import type { EntityNode } from '../graph/model-graph.js';
import { printTable } from './print-literal.js';
import { constant, typeImport, type Emitted } from './structures.js';

/** The whitelist: field table and navigation table. */
export function emitFields({ constant: prefix, fields, navigation }: EntityNode): Emitted {
  const fieldTable = printTable(Object.fromEntries(fields.map(({ name, field }) => [name, { ...field }])));
  const navigationTable = printTable(Object.fromEntries(navigation.map((node) => [node.name, { ...node.navigation }])));
  return {
    statements: [
      typeImport('../../runtime/edm/index.js', 'FieldTable', 'NavigationTable'),
      constant(
        `${prefix}Fields`,
        `${fieldTable} as const satisfies FieldTable`,
        'Structural properties in the order of the model. A name that is not here cannot be used in a query.',
      ),
      constant(`${prefix}Navigation`, `${navigationTable} as const satisfies NavigationTable`, 'Navigation properties, and the columns that join them.'),
    ],
  };
}
