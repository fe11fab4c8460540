import type { StatementStructures } from './ts-morph.js';
import type { EnumNode, ModelGraph } from '../graph/model-graph.js';
import { docText } from './describe.js';
import { nestedTable, printString, printTable } from './print-literal.js';
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
