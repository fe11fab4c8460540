import { nearestOf } from '../../runtime/errors/suggest.js';
import { isOperation, type Csdl, type OperationImport, type Schema, type SchemaElement } from '../csdl/csdl.js';
import { isSame, mapElements } from '../csdl/map-elements.js';
import { faults, type Report } from '../faults.js';
import type { Names } from './names.js';

/** Omits what no other element needs: operations with the name of a type, imports of operations that do not exist, and their unknown sets. */
export function omitUnneeded(csdl: Csdl, included: readonly Schema[], { qualify }: Pick<Names, 'qualify'>, report: Report): Csdl {
  const named = csdl.schemas.map((schema) => withElements(schema, operationsWithOwnName(schema, report)));
  const operations = new Set(
    [...named, ...included].flatMap(({ namespace, elements }) =>
      elements.flatMap((one) => (isOperation(one) && !one.isBound ? [`${one.kind} ${namespace}.${one.name}`] : [])),
    ),
  );
  const exists = (member: OperationImport): boolean => operations.has(`${kindOf(member)} ${qualify(member.operation)}`);
  const now = mapElements(isSame(named, csdl.schemas) ? csdl : { ...csdl, schemas: named }, (one) => withImports(one, exists, report));
  return now === csdl ? csdl : { ...now, changed: true };
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
  const sets = new Set(element.members.map(({ name }) => name));
  const members = element.members.flatMap((member) => {
    if (member.kind !== 'ActionImport' && member.kind !== 'FunctionImport') return [member];
    if (exists(member)) return [withKnownSet(member, sets, report)];
    report(faults.importedOperation(member.at, `${member.kind} ${member.name}`, member.operation, kindOf(member).toLowerCase()));
    return [];
  });
  return isSame(members, element.members) ? element : { ...element, members };
}

function withKnownSet(member: OperationImport, sets: ReadonlySet<string>, report: Report): OperationImport {
  const { at, kind, name, entitySet } = member;
  if (entitySet === undefined || entitySet.includes('/') || sets.has(entitySet)) return member;
  report(faults.importedSet(at, `${kind} ${name}`, entitySet, nearestOf(entitySet, sets) ?? ''));
  return { ...member, entitySet: undefined };
}

function kindOf({ kind }: OperationImport): 'Action' | 'Function' {
  return kind === 'ActionImport' ? 'Action' : 'Function';
}

function withElements(schema: Schema, elements: readonly SchemaElement[]): Schema {
  return isSame(elements, schema.elements) ? schema : { ...schema, elements };
}
