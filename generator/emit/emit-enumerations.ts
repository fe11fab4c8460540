import type { StatementStructures } from './ts-morph.js';
import type { EnumNode, ModelGraph, FieldNode } from '../graph/model-graph.js';
import { docText } from './describe.js';
import { unionValue } from './property-types.js';
import { nestedTable, printString, printTable, printLiteral } from './print-literal.js';
import { constant, contract, typeImport, type Emitted, exportedType } from './structures.js';

/** The enumerations: the type of the values, and the table. */
export function emitEnumerations({ enumerations }: ModelGraph): Emitted {
  return [typeImport(contract, 'EnumType'), ...enumerations.flatMap((node) => [typeOf(node), tableOf(node)])];
}

/** The types of the values alone. */
export function emitEnumerationTypes({ enumerations }: ModelGraph): Emitted {
  return enumerations.map(typeOf);
}

function typeOf({ typeName, description, table: { members, flags, qualifiedName } }: EnumNode): StatementStructures {
  const names = members.map(([name]) => printString(name));
  const docs = [docText(description ?? `A value of ${qualifiedName}`, flags && 'Several members are separated by commas')];
  const union = names.length === 0 ? 'never' : names.map((name) => `\n| ${name}`).join('');
  const type = flags && names.length > 0 ? `${union}\n| \`\${${names.join(' | ')}},\${string}\`` : union;
  return exportedType(typeName, docs, type);
}

function tableOf({ constant: name, table: { qualifiedName, underlyingType, flags, members } }: EnumNode): StatementStructures {
  const table = { qualifiedName, underlyingType, ...(flags && { flags }), members: nestedTable(members) };
  return constant(name, printTable(table), `The members of ${qualifiedName} and their values.`, 'EnumType');
}

/** The values of enumerations and of properties with a closed list, as constants for forms and checks. */
export function emitValues(graph: ModelGraph): Emitted {
  const lists = valueLists(graph);
  const constants = [...lists].map(([type, values]) =>
    constant(`${lowerFirst(type)}Values`, `${printLiteral(values)} as const satisfies readonly ${type}[]`, `The values of ${type}.`),
  );
  return [typeImport('./types.js', ...lists.keys()), ...constants];
}

/** The values by the names of their types. */
export function valueLists({ entities, complexTypes, enumerations }: ModelGraph): ReadonlyMap<string, readonly (string | number)[]> {
  const fields = [...entities.filter(({ first }) => first === undefined), ...complexTypes].flatMap((type) => type.fields);
  return new Map([
    ...enumerations.map(({ typeName, table }) => [typeName, table.members.map(([name]) => name)] as const),
    ...fields.filter(({ inherited }) => !inherited).flatMap(listOf),
  ]);
}

function listOf({ unionName, field }: FieldNode): readonly (readonly [string, readonly (string | number)[]])[] {
  return unionName === undefined ? [] : [[unionName, (field.allowedValues ?? []).map((text) => unionValue(field, text))]];
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
