import { openColumn } from '../../runtime/edm/index.js';
import type { Table } from '../../runtime/schema/schema.js';
import type { ComplexNode, EntityNode, FieldNode, ModelGraph } from '../graph/model-graph.js';
import { mapColumns } from '../map-columns.js';

type ValueTypes = Pick<ModelGraph, 'complexTypes' | 'enumerations' | 'typeDefinitions'>;

/** Adds to the columns the types that their values may have as `@odata.type`. */
export function withValueTypes(table: Table, { fields }: EntityNode, model: ValueTypes): Table {
  const byColumn = complexColumns(fields);
  return mapColumns(table, (column) => {
    const complex = byColumn.get(column.name);
    const valueTypes = column.name === openColumn ? allTypes(model) : complex === undefined ? [] : typesOf(complex, model);
    return valueTypes.length === 0 ? column : { ...column, valueTypes };
  });
}

// The values of dynamic properties name their types, whatever these are.
function allTypes({ complexTypes, enumerations, typeDefinitions }: ValueTypes): readonly string[] {
  return [...namesOf(complexTypes), ...enumerations.map(({ table }) => table.qualifiedName), ...typeDefinitions.keys()];
}

function typesOf(complex: string, model: ValueTypes): readonly string[] {
  const types = reachedFrom(complex, model.complexTypes);
  if (types === undefined) return allTypes(model);
  // A value has an `@odata.type` if its type is a derived or a base type.
  return types.some(({ base, derivedTypes }) => base !== undefined || derivedTypes.length > 0) ? namesOf(types) : [];
}

function namesOf(types: readonly ComplexNode[]): readonly string[] {
  return types.map(({ qualifiedName }) => qualifiedName);
}

/** The complex types of properties, by the names of their columns, or of the properties that share one. */
export function complexColumns(fields: readonly FieldNode[]): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(({ name, column, field }) =>
      field.complex === undefined ? [] : [[field.more ? name : column, field.complex] as const],
    ),
  );
}

// The types of a property's values and everything nested, in the order of the model; undefined if one is open.
function reachedFrom(start: string, complexTypes: readonly ComplexNode[]): readonly ComplexNode[] | undefined {
  const reached = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const type = complexTypes.find(({ qualifiedName }) => qualifiedName === name);
    if (type === undefined || reached.has(name)) continue;
    if (type.open) return undefined;
    reached.add(name);
    waiting.push(...type.derivedTypes, ...type.fields.flatMap(({ field }) => field.complex ?? []));
  }
  return complexTypes.filter(({ qualifiedName }) => reached.has(qualifiedName));
}
