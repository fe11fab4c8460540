import type { StatementStructures } from 'ts-morph';
import type { ComplexNode, FieldNode } from '../graph/model-graph.js';
import { complexOf, type ComplexTypes } from './property-types.js';
import { typeImport } from './structures.js';

/** Imports of the types of enumerations that properties have. */
export function enumerationTypes(fields: readonly Pick<FieldNode, 'enumeration'>[]): readonly StatementStructures[] {
  const enumerations = [...new Set(fields.flatMap(({ enumeration }) => enumeration?.typeName ?? []))];
  return enumerations.length === 0 ? [] : [typeImport('../enumerations.js', ...enumerations)];
}

/** A name that generated code uses of a complex type. */
export type ComplexUse = readonly [type: ComplexNode, name: string];

/** Imports of what is used of complex types, one a module. */
export function complexImports(uses: readonly ComplexUse[], folder: string): readonly StatementStructures[] {
  const folders = new Set(uses.map(([type]) => type.folder).filter((other) => other !== folder));
  return [...folders].map((other) =>
    typeImport(`../${other}/types.js`, ...new Set(uses.filter(([type]) => type.folder === other).map(([, name]) => name))),
  );
}

/** What is used of complex types by properties as they are read. */
export function valueUses(fields: readonly FieldNode[], complexTypes: ComplexTypes): readonly ComplexUse[] {
  return fields.flatMap((node) => complexOf(node, complexTypes) ?? []).map((type) => [type, type.typeName]);
}

/** What is used of complex types by properties in a body; an item of a collection is always a new one. */
export function bodyUses(
  fields: readonly FieldNode[],
  without: ReadonlySet<string>,
  complexTypes: ComplexTypes,
  body: 'create' | 'update',
): readonly ComplexUse[] {
  return fields.flatMap((node) => {
    const type = without.has(node.name) ? undefined : complexOf(node, complexTypes);
    return type === undefined ? [] : [[type, node.field.collection ? type.derived.create : type.derived[body]] as const];
  });
}
