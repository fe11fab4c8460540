import type { Csdl, StructuredType } from '../../csdl/csdl.js';
import { elementsOf } from '../../csdl/map-elements.js';
import { faults, type Report } from '../../faults.js';
import { basesOf, propertiesOf, type Scope } from '../names/scope.js';

/** Reports types that cannot be instantiated, because each value requires another one. */
export function checkEndless(csdl: Csdl, scope: Scope, report: Report): void {
  const types = elementsOf(csdl, 'EntityType', 'ComplexType').map(({ name, element }) => toNode(name, element, scope));
  const known = new Set(types.map(({ name }) => name));
  // Types with a finite value, of their own or a derived type.
  const ended = new Set<string>();
  const isOpen = (name: string): boolean => known.has(name) && !ended.has(name);
  let left = types.filter(({ type }) => !type.abstract);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    left = left.filter(({ family, needs }) => {
      if (needs.some(isOpen)) return true;
      for (const name of family) ended.add(name);
      return false;
    });
  }
  for (const { type, needs } of left) {
    const [kind, one] = type.kind === 'EntityType' ? ['Entity type', 'record'] : ['Complex type', 'value'];
    const why = `can have no ${one}: each requires one of ${needs.filter(isOpen).join(' and ')} within it, endlessly`;
    report(faults.prose(type.at, `${kind} ${type.name}`, why, 'Make one of these properties nullable.'));
  }
}

interface TypeNode {
  readonly name: string;
  readonly type: StructuredType;
  /** The type and its base types. */
  readonly family: readonly string[];
  readonly needs: readonly string[];
}

function toNode(name: string, type: StructuredType, scope: Scope): TypeNode {
  return { name, type, family: [name, ...basesOf(name, scope)], needs: needsOf(name, scope) };
}

// The types that a value or entity always contains; collections may be empty.
function needsOf(name: string, scope: Scope): readonly string[] {
  return propertiesOf(name, scope).flatMap((property) =>
    (property.kind === 'Property' || property.containsTarget) && property.nullable === false && !property.collection
      ? [scope.qualify(property.type)]
      : [],
  );
}
