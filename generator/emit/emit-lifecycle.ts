import type { EntityNode } from '../graph/model-graph.js';
import { declaringFolder } from './entity-kinds.js';
import { printKey, printLiteral, printString, printTable } from './print-literal.js';
import { constant, contract, typeImport, type Emitted } from './structures.js';

/** The transition table, typed by the union of the states. */
export function emitLifecycle(entity: EntityNode): Emitted {
  const { constant: prefix, fields, transitions } = entity;
  const folder = declaringFolder(entity, transitions?.property ?? '');
  const union = fields.find(({ name }) => name === transitions?.property)?.unionName ?? 'string';
  const moves = Object.entries(transitions?.moves ?? {}).map(([from, list]) => {
    const rows = printTable(list.map((move) => ({ ...move })));
    return `    ${printKey(from)}: ${rows.replace(/\n/g, '\n    ')},\n`;
  });
  const table = [
    `{\n  property: ${printString(transitions?.property ?? '')},\n`,
    `  initial: ${printLiteral(transitions?.initial ?? '')},\n`,
    `  moves: {\n${moves.join('')}  },\n}`,
  ];
  return {
    statements: [
      typeImport(contract, 'TransitionTable'),
      typeImport(folder === entity.folder ? './types.js' : `../${folder}/types.js`, union),
      constant(
        `${prefix}Transitions`,
        `${table.join('')} as const satisfies TransitionTable<${union}>`,
        'From Rules.Transitions: the moves by the state they leave.',
      ),
    ],
  };
}
