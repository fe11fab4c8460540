import { isOperation, type Csdl, type OperationImport, type Schema, type SchemaElement } from '../csdl/csdl.js';
import { faults, type Report } from '../faults.js';
import type { Names } from './names.js';

/** Omits what no other element needs: operations with the name of a type, and imports of operations that do not exist. */
export function omitUnneeded(csdl: Csdl, included: readonly Schema[], { qualify }: Pick<Names, 'qualify'>, report: Report): Csdl {
  const named = csdl.schemas.map((schema) => withElements(schema, operationsWithOwnName(schema, report)));
  const operations = new Set(
    [...named, ...included].flatMap(({ namespace, elements }) =>
      elements.flatMap((one) => (isOperation(one) && !one.isBound ? [`${one.kind} ${namespace}.${one.name}`] : [])),
    ),
  );
  const exists = (member: OperationImport): boolean => operations.has(`${kindOf(member)} ${qualify(member.operation)}`);
  const schemas = named.map((schema) =>
    withElements(
      schema,
      schema.elements.map((one) => withImports(one, exists, report)),
    ),
  );
  return schemas.every((schema, index) => schema === csdl.schemas[index]) ? csdl : { ...csdl, schemas, changed: true };
}

function operationsWithOwnName({ namespace, elements }: Schema, report: Report): readonly SchemaElement[] {
  const others = new Map(elements.flatMap((one) => (isOperation(one) ? [] : [[one.name, one.kind] as const])));
  return elements.filter((one) => {
    const kind = isOperation(one) ? others.get(one.name) : undefined;
    if (kind !== undefined) report(faults.operationName(one.at, `${one.kind} ${namespace}.${one.name}`, kind));
    return kind === undefined;
  });
}

function withImports(element: SchemaElement, exists: (member: OperationImport) => boolean, report: Report): SchemaElement {
  if (element.kind !== 'EntityContainer') return element;
  const members = element.members.filter((member) => {
    const isKept = (member.kind !== 'ActionImport' && member.kind !== 'FunctionImport') || exists(member);
    if (!isKept)
      report(faults.importedOperation(member.at, `${member.kind} ${member.name}`, member.operation, kindOf(member).toLowerCase()));
    return isKept;
  });
  return members.length === element.members.length ? element : { ...element, members };
}

function kindOf({ kind }: OperationImport): 'Action' | 'Function' {
  return kind === 'ActionImport' ? 'Action' : 'Function';
}

function withElements(schema: Schema, elements: readonly SchemaElement[]): Schema {
  const isSame = elements.length === schema.elements.length && elements.every((one, index) => one === schema.elements[index]);
  return isSame ? schema : { ...schema, elements };
}
