import type { EntityNode, FieldNode } from '../graph/model-graph.js';
import { declaringFolder } from './entity-kinds.js';
import { printKey, printTable, referTo } from './print-literal.js';
import { constant, contract, typeImport, type Emitted } from './structures.js';

/** The rules for bodies. */
export function emitValidator({ constant: prefix, rules, first, ...entity }: EntityNode): Emitted {
  const { typeName } = first ?? entity;
  return [
    typeImport(contract, 'WriteRules'),
    typeImport(first === undefined ? './types.js' : `../${first.folder}/types.js`, typeName),
    constant(
      `${prefix}Rules`,
      `${printTable({ ...rules })} as const satisfies WriteRules<keyof ${typeName} & string>`,
      'From InsertRestrictions, UpdateRestrictions, Core.Computed, Rules.Generated and ReferentialConstraint.',
    ),
  ];
}

/** The transition table, typed by the union of the states. */
export function emitLifecycle(entity: EntityNode): Emitted {
  const { constant: prefix, fields, transitions } = entity;
  const { property = '', initial = '', moves: all = {} } = transitions ?? {};
  const folder = declaringFolder(entity, property);
  const state = fields.find(({ name }) => name === property);
  const union = state?.unionName;
  const moves = Object.entries(all).map(([from, list]) => {
    const rows = printTable(list.map((move) => ({ ...move })));
    return `    ${printKey(from)}: ${rows.replace(/\n/g, '\n    ')},\n`;
  });
  const table = printTable({ property, initial, moves: referTo(`{\n${moves.join('')}  }`) });
  return [
    typeImport(contract, 'TransitionTable'),
    ...(union === undefined ? [] : [typeImport(folder === entity.folder ? './types.js' : `../${folder}/types.js`, union)]),
    constant(
      `${prefix}Transitions`,
      `${table} as const satisfies TransitionTable${statesOf(state)}`,
      'From Rules.Transitions: the moves by the state they leave.',
    ),
  ];
}

// States are texts in the table, as names of its members.
function statesOf(state: FieldNode | undefined): string {
  if (state?.unionName === undefined) return '';
  return state.field.type === 'Edm.String' ? `<${state.unionName}>` : `<\`\${${state.unionName}}\`>`;
}

/** The routes of an entity source. */
export function emitRoutes({ constant: prefix, place, routes }: EntityNode): Emitted {
  const doc =
    place === undefined
      ? 'No entity set exposes this type.'
      : `The operations of \`/${place.name.replace('.', '(…)/')}\`; other methods are answered with 405.`;
  return [
    typeImport(contract, 'Route'),
    constant(`${prefix}Routes`, `${printTable(routes.map((route) => ({ ...route })))} as const satisfies readonly Route[]`, doc),
  ];
}
