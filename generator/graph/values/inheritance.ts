import type { StructuredType } from '../../csdl/csdl.js';
import { faults } from '../../faults.js';
import type { Fault } from '../../model-error.js';
import type { ValueContext } from '../built-model.js';

/** A type, and the lookup of possible base types by qualified name. */
interface Derived {
  readonly name: string;
  readonly definition: StructuredType;
  readonly kind: 'entity type' | 'complex type';
  readonly find: (name: string) => StructuredType | undefined;
}

/**
 * The qualified names of a type's base types, the nearest first. Ends at an unknown or circular type, which is
 * reported.
 */
export function baseChain({ name, definition, kind, find }: Derived, { scope, report }: ValueContext): readonly string[] {
  const bases: string[] = [];
  for (let at: StructuredType | undefined = definition; at?.baseType !== undefined; at = find(bases.at(-1) ?? '')) {
    const base = scope.qualify(at.baseType);
    const why =
      find(base) === undefined ? `is no ${kind} of this model` : base === name || bases.includes(base) ? 'derives from it' : undefined;
    if (why === undefined) {
      bases.push(base);
      continue;
    }
    if (at === definition || base === name) report(baseFault(definition, base, why, scope));
    return bases;
  }
  return bases;
}

function baseFault({ at, name, baseType = '' }: StructuredType, base: string, why: string, scope: ValueContext['scope']): Fault {
  // Exporters of .NET classes write it.
  if (base === 'System.Object')
    return faults.unreadBase(at, name, baseType, 'is no type of OData, but the root of all types of .NET', 'Remove BaseType.');
  if (scope.isOutside(base))
    return faults.unreadBase(at, name, baseType, 'is in a document that was not read', 'Save the document next to the model.');
  return faults.baseType(at, name, baseType, why, scope.definitions.has(base) ? '' : scope.suggest(base));
}
