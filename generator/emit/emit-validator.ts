import type { EntityNode } from '../graph/model-graph.js';
import { printTable } from './print-literal.js';
import { constant, contract, typeImport, type Emitted } from './structures.js';

/** What a body may and must carry. */
export function emitValidator({ constant: prefix, typeName, rules }: EntityNode): Emitted {
  return {
    statements: [
      typeImport(contract, 'WriteRules'),
      typeImport('./types.js', typeName),
      constant(
        `${prefix}Rules`,
        `${printTable({ ...rules })} as const satisfies WriteRules<keyof ${typeName} & string>`,
        'From InsertRestrictions, UpdateRestrictions, Core.Computed, Rules.Generated and ReferentialConstraint.',
      ),
    ],
  };
}
