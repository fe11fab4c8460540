import type { StatementStructures } from './ts-morph.js';
import type { ComplexNode, FieldNode } from '../graph/model-graph.js';
import type { Shape } from './body-interfaces.js';
import { complexOf, type ComplexTypes } from './property-types.js';
import { typeImport } from './structures.js';

/** Imports of the types of enumerations that properties have. */
export function enumerationTypes(fields: readonly Pick<FieldNode, 'enumeration'>[]): readonly StatementStructures[] {
  const enumerations = [...new Set(fields.flatMap(({ enumeration }) => enumeration?.typeName ?? []))];
  return enumerations.length === 0 ? [] : [typeImport('../enumerations.js', ...enumerations)];
}

/** A name that generated code uses of the module of a type. */
export type TypeUse = readonly [type: Pick<ComplexNode, 'folder'>, name: string];

/** Imports of types from the modules of other types, one a module. */
export function typeImports(uses: readonly TypeUse[], folder: string): readonly StatementStructures[] {
  const folders = new Set(uses.map(([type]) => type.folder).filter((other) => other !== folder));
  return [...folders].map((other) =>
    typeImport(`../${other}/types.js`, ...new Set(uses.filter(([type]) => type.folder === other).map(([, name]) => name))),
  );
}

/** The complex types that the interfaces of a type use; an item of a collection in a body is always a new one. */
export function shapeUses(
  { fields, own, bodies }: Pick<Shape, 'fields' | 'own' | 'bodies'>,
  complexTypes: ComplexTypes,
): readonly TypeUse[] {
  const ofBody = (kind: 'create' | 'update'): readonly TypeUse[] =>
    fields.flatMap((node) => {
      const type = bodies[kind]?.without.has(node.name) === false ? complexOf(node, complexTypes) : undefined;
      return type === undefined ? [] : [[type, type.derived[node.field.collection ? 'create' : kind]] as const];
    });
  const read = own.flatMap((node) => complexOf(node, complexTypes) ?? []).map((type) => [type, type.typeName] as const);
  return [...read, ...ofBody('create'), ...ofBody('update')];
}
