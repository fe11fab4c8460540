import type { EntityNode } from '../graph/model-graph.js';
import { printTable } from './print-literal.js';
import { constant, contract, typeImport, type Emitted } from './structures.js';

/** The routes of an entity source. */
export function emitRoutes({ constant: prefix, place, routes }: EntityNode): Emitted {
  const doc =
    place === undefined
      ? 'No entity set exposes this type.'
      : `The operations of \`/${place.name.replace('.', '(…)/')}\`; other methods are answered with 405.`;
  return {
    statements: [
      typeImport(contract, 'Route'),
      constant(`${prefix}Routes`, `${printTable(routes.map((route) => ({ ...route })))} as const satisfies readonly Route[]`, doc),
    ],
  };
}
