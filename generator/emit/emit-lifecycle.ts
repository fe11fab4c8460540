import type { EntityNode } from '../graph/model-graph.js';
import { declaringFolder } from './entity-kinds.js';
import { printKey, printTable, referTo } from './print-literal.js';
import { constant, contract, typeImport, type Emitted } from './structures.js';

/** The transition table, typed by the union of the states. */
export function emitLifecycle(entity: EntityNode): Emitted {
  const { constant: prefix, fields, transitions } = entity;
  const { property = '', initial = '', moves: all = {} } = transitions ?? {};
  const folder = declaringFolder(entity, property);
  const union = fields.find(({ name }) => name === property)?.unionName ?? 'string';
  const moves = Object.entries(all).map(([from, list]) => {
    const rows = printTable(list.map((move) => ({ ...move })));
    return `    ${printKey(from)}: ${rows.replace(/\n/g, '\n    ')},\n`;
  });
  const table = printTable({ property, initial, moves: referTo(`{\n${moves.join('')}  }`) });
  return {
    statements: [
      typeImport(contract, 'TransitionTable'),
      typeImport(folder === entity.folder ? './types.js' : `../${folder}/types.js`, union),
      constant(
        `${prefix}Transitions`,
        `${table} as const satisfies TransitionTable<${union}>`,
        'From Rules.Transitions: the moves by the state they leave.',
      ),
    ],
  };
}
