import { StructureKind, type StatementStructures } from './ts-morph.js';
import type { ComplexNode, EntityNode, ModelGraph } from '../graph/model-graph.js';
import { createdAt, updatedAt } from './entity-kinds.js';
import type { Emitted } from './structures.js';

/** The barrel that other projects import: types only. */
export function emitTypesBarrel({ entities, enumerations, complexTypes }: ModelGraph): Emitted {
  const names = enumerations.map(({ typeName }) => typeName);
  return [
    ...(names.length === 0 ? [] : [exported('enumerations', names)]),
    ...entities
      .filter(({ first }) => first === undefined)
      .map((entity) => exported(`${entity.folder}/types`, recordTypes(entity, entities))),
    ...complexTypes.map((complex) => exported(`${complex.folder}/types`, complexNames(complex))),
  ];
}

function exported(module: string, namedExports: string[]): StatementStructures {
  return { kind: StructureKind.ExportDeclaration, isTypeOnly: true, moduleSpecifier: `./${module}.js`, namedExports };
}

// The unions of inherited properties are those of the type that declares them.
function recordTypes(entity: EntityNode, entities: readonly EntityNode[]): string[] {
  const { typeName, derived, fields, key } = entity;
  const bodies = [...(createdAt(entity, entities) ? [derived.create] : []), ...(updatedAt(entity, entities) ? [derived.update] : [])];
  return [
    typeName,
    ...(key.length === 0 ? [] : [derived.key]),
    ...bodies,
    ...fields.flatMap(({ unionName, inherited }) => (unionName === undefined || inherited ? [] : [unionName])),
  ];
}

// The unions of inherited properties are those of the type that declares them.
function complexNames({ typeName, derived, fields }: ComplexNode): string[] {
  return [typeName, derived.create, derived.update, ...fields.flatMap(({ unionName }) => unionName ?? [])];
}
