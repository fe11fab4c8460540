import { isPrimitive } from '../../../runtime/edm/index.js';
import type { Operation, TypeReference } from '../../csdl/csdl.js';
import { faults, type Report } from '../../faults.js';
import { abstractTypeOf } from '../values/omit-properties.js';
import type { Scope } from '../names/scope.js';

/** Checks an operation; undefined types have been reported by the repair. */
export function checkOperation({ at, kind, name, isBound, parameters, returnType }: Operation, scope: Scope, report: Report): void {
  if (isBound && parameters.length === 0)
    report(faults.operation(at, `${kind} ${name}`, 'is bound but has no parameter', 'Its first parameter is the binding parameter.'));
  for (const parameter of parameters) checkBuiltIn(parameter, `Parameter ${name}/${parameter.name}`, parameter.at, scope, report);
  if (returnType) checkBuiltIn(returnType, `The result of ${name}`, at, scope, report);
}

function checkBuiltIn({ type }: TypeReference, owner: string, at: number, scope: Scope, report: Report): void {
  const abstract = abstractTypeOf(type, { elements: scope.definitions, qualify: scope.qualify });
  if (abstract !== undefined) report(faults.abstractProperty(at, owner, abstract, 'Name a concrete type.'));
  else if (type.startsWith('Edm.') && !isPrimitive(type) && type !== 'Edm.Stream')
    report(faults.unknownPrimitive(at, owner, type, scope.suggest(type)));
}
