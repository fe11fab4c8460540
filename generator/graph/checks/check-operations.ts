import { isPrimitive } from '../../../runtime/edm/index.js';
import {
  isOperation,
  type EntityContainer,
  type Operation,
  type OperationImport,
  type Schema,
  type TypeReference,
} from '../../csdl/csdl.js';
import { faults, type Report } from '../../faults.js';
import { abstractTypeOf } from '../values/omit-abstract.js';
import { membersOf, type Scope } from '../names/scope.js';
import { memoized } from '../../memoized.js';

/** Checks an operation; undefined types have been reported by the repair. */
export function checkOperation({ at, kind, name, isBound, parameters, returnType }: Operation, scope: Scope, report: Report): void {
  if (isBound && parameters.length === 0)
    report(faults.operation(at, `${kind} ${name}`, 'is bound but has no parameter', 'Its first parameter is the binding parameter.'));
  for (const parameter of parameters) checkBuiltIn(parameter, `Parameter ${name}/${parameter.name}`, parameter.at, scope, report);
  if (returnType) checkBuiltIn(returnType, `The result of ${name}`, at, scope, report);
}

/** Checks that an import has an unbound operation of its kind, and an existing entity set. */
export function checkImport(
  member: OperationImport,
  container: EntityContainer,
  schemas: readonly Schema[],
  scope: Scope,
  report: Report,
): void {
  const { at, kind, name, operation, entitySet } = member;
  const wanted = kind === 'ActionImport' ? 'Action' : 'Function';
  if (!unboundOf(schemas).has(`${wanted} ${scope.qualify(operation)}`))
    report(
      faults.operation(
        at,
        `${kind} ${name}`,
        `names ${operation}, but there is no such unbound ${wanted.toLowerCase()}`,
        'Correct the name.',
      ),
    );
  if (entitySet !== undefined && !entitySet.includes('/') && !membersOf(container).has(entitySet))
    report(faults.operation(at, `${kind} ${name}`, `names the entity set ${entitySet}, which does not exist`, 'Correct the name.'));
}

// The kinds and qualified names of the operations that can be imported.
const unboundOf = memoized(
  (schemas: readonly Schema[]) =>
    new Set(
      schemas.flatMap(({ namespace, elements }) =>
        elements.flatMap((one) => (isOperation(one) && !one.isBound ? [`${one.kind} ${namespace}.${one.name}`] : [])),
      ),
    ),
);

function checkBuiltIn({ type }: TypeReference, owner: string, at: number, scope: Scope, report: Report): void {
  const abstract = abstractTypeOf(type, { elements: scope.definitions, qualify: scope.qualify });
  if (abstract !== undefined) report(faults.abstractProperty(at, owner, abstract, 'Name a concrete type.'));
  else if (type.startsWith('Edm.') && !isPrimitive(type) && type !== 'Edm.Stream')
    report(faults.unknownPrimitive(at, owner, type, scope.suggest(type)));
}
