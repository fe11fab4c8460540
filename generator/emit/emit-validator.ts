import type { EntityNode } from '../graph/model-graph.js';
import { printTable } from './print-literal.js';
import { constant, contract, typeImport, type Emitted } from './structures.js';

/** The rules for bodies. */
export function emitValidator({ constant: prefix, rules, first, ...entity }: EntityNode): Emitted {
  const { typeName } = first ?? entity;
  return {
    statements: [
      typeImport(contract, 'WriteRules'),
      typeImport(first === undefined ? './types.js' : `../${first.folder}/types.js`, typeName),
      constant(
        `${prefix}Rules`,
        `${printTable({ ...rules })} as const satisfies WriteRules<keyof ${typeName} & string>`,
        'From InsertRestrictions, UpdateRestrictions, Core.Computed, Rules.Generated and ReferentialConstraint.',
      ),
    ],
  };
}
