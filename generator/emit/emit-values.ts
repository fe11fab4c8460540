import type { FieldNode, ModelGraph } from '../graph/model-graph.js';
import { printLiteral } from './print-literal.js';
import { constant, typeImport, type Emitted } from './structures.js';

/** The values of enumerations and of properties with a closed list, as constants for forms and checks. */
export function emitValues(graph: ModelGraph): Emitted {
  const lists = valueLists(graph);
  const constants = [...lists].map(([type, values]) =>
    constant(`${lowerFirst(type)}Values`, `${printLiteral(values)} as const satisfies readonly ${type}[]`, `The values of ${type}.`),
  );
  return [typeImport('./types.js', ...lists.keys()), ...constants];
}

/** The values by the names of their types. */
export function valueLists({ entities, complexTypes, enumerations }: ModelGraph): ReadonlyMap<string, readonly string[]> {
  const fields = [...entities.filter(({ first }) => first === undefined), ...complexTypes].flatMap((type) => type.fields);
  return new Map([
    ...enumerations.map(({ typeName, table }) => [typeName, table.members.map(([name]) => name)] as const),
    ...fields.filter(({ inherited }) => !inherited).flatMap(listOf),
  ]);
}

function listOf({ unionName, field }: FieldNode): readonly (readonly [string, readonly string[]])[] {
  return unionName === undefined ? [] : [[unionName, (field.allowedValues ?? []).map(String)]];
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
