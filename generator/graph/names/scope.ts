import { suggestion } from '../../../runtime/errors/suggest.js';
import type { Csdl, EntityContainer, Operation, SchemaElement, StructuredType, Term } from '../../csdl/csdl.js';
import { words } from '../../csdl/elements.js';
import { isStructured } from '../../csdl/map-elements.js';
import { namespaceOf, qualifierOf } from '../../csdl/names-in.js';
import { memoized } from '../../../runtime/edm/memoized.js';

/** The elements that a qualified name can denote. */
export type Definition = Exclude<SchemaElement, Operation | Term>;

/** The names of the document, with aliases resolved. */
export interface Scope {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly aliases: ReadonlySet<string>;
  /** Replaces the alias of a name by its namespace. */
  readonly qualify: (name: string) => string;
  readonly isDeclared: (qualifiedName: string) => boolean;
  /** Whether a name is in a referenced namespace whose document was not read. */
  readonly isOutside: (qualifiedName: string) => boolean;
  readonly suggest: (name: string) => string;
}

/** Collects the definitions and aliases of the document. */
export function buildScope(csdl: Csdl): Scope {
  const { schemas, references } = csdl;
  const named = [...references.flatMap(({ includes }) => includes), ...schemas];
  const namespaces = new Set(named.map(({ namespace }) => namespace));
  const definitions = new Map<string, Definition>();
  for (const { namespace, elements } of schemas)
    for (const element of elements) if (isDefinition(element)) definitions.set(`${namespace}.${element.name}`, element);
  return {
    definitions,
    aliases: new Set(named.flatMap(({ alias }) => alias ?? [])),
    qualify: qualifierOf(csdl),
    isDeclared: (name) => namespaces.has(namespaceOf(name)),
    isOutside: (name) => namespaces.has(namespaceOf(name)) && !schemas.some(({ namespace }) => namespace === namespaceOf(name)),
    suggest: (name) => {
      const meant = foreignTypes.get(name.toLowerCase());
      return meant === undefined ? suggestion(name, [...definitions.keys(), ...primitiveLike]) : ` Did you mean ${meant}?`;
    },
  };
}

/** The segments of a path, with aliases in casts resolved. */
export function qualifiedSegments(path: string, qualify: Scope['qualify']): readonly string[] {
  return path.split('/').map((segment) => (segment.includes('.') ? qualify(segment) : segment));
}

/** The target of an annotation, with aliases in its name, signature and casts resolved (CSDL XML 4.01, 14.2.2). */
export function qualifiedTarget(target: string, qualify: Scope['qualify']): string {
  const [, name = target, signature = '', path = ''] = /^([^/(]*)(\(.*\))?(\/.*)?$/s.exec(target) ?? [];
  const types = signature.replace(/[^(),]+/g, (type) => qualify(type));
  const segments = [qualify(name) + types, ...qualifiedSegments(path, qualify).slice(1)];
  // A property of a derived type is the same by a cast of the base type.
  while (segments[1]?.includes('.') === true && !segments[1].startsWith('@')) segments.shift();
  return segments.join('/');
}

type Signed = Pick<Operation, 'kind' | 'isBound'> & {
  readonly parameters: readonly Pick<Operation['parameters'][number], 'type' | 'collection'>[];
};

/** The types that identify an overload in such a target: an action's binding type, all parameter types of a function. */
export function signatureOf({ kind, isBound, parameters }: Signed, qualify: Scope['qualify']): string {
  const signed = kind === 'Action' ? parameters.slice(0, isBound ? 1 : 0) : parameters;
  return `(${signed.map(({ type, collection }) => (collection ? `Collection(${qualify(type)})` : qualify(type))).join(',')})`;
}

/** The names of a path without type casts. */
export function withoutCasts(segments: readonly string[]): readonly string[] {
  return segments.filter((segment) => !segment.includes('.'));
}

/** A structured type and its base types, the nearest first; empty for other names. */
export function structuresOf(name: string, scope: Scope): readonly StructuredType[] {
  return [name, ...basesOf(name, scope)].flatMap((one) => {
    const definition = scope.definitions.get(one);
    return isStructured(definition) ? [definition] : [];
  });
}

/** The properties of a structured type, its own first; none for other names. */
export function propertiesOf(name: string, scope: Scope): StructuredType['properties'] {
  return structuresOf(name, scope).flatMap(({ properties }) => properties);
}

/** The base types of a type, the nearest first, up to an unknown or circular one. */
export function basesOf(name: string, { definitions, qualify }: Scope): readonly string[] {
  const bases: string[] = [];
  for (let at = baseOf(name, definitions); at !== undefined; at = baseOf(bases.at(-1) ?? '', definitions)) {
    const base = qualify(at);
    if (base === name || bases.includes(base) || !definitions.has(base)) return bases;
    bases.push(base);
  }
  return bases;
}

/** Whether two types are the same, or one derives from the other. */
export function isOfOneFamily(one: string, other: string, scope: Scope): boolean {
  return one === other || basesOf(one, scope).includes(other) || basesOf(other, scope).includes(one);
}

function baseOf(name: string, definitions: ReadonlyMap<string, Definition>): string | undefined {
  const definition = definitions.get(name);
  return isStructured(definition) ? definition.baseType : undefined;
}

function isDefinition(element: SchemaElement): element is Definition {
  return element.kind !== 'Action' && element.kind !== 'Function' && element.kind !== 'Term';
}

// Types of OData 2 and 3, and of other languages.
const foreignTypes: ReadonlyMap<string, string> = new Map([
  ['edm.datetime', 'Edm.DateTimeOffset'],
  ['edm.time', 'Edm.TimeOfDay'],
  ['edm.float', 'Edm.Double'],
  ['edm.int', 'Edm.Int32'],
  ['edm.integer', 'Edm.Int32'],
  ['edm.long', 'Edm.Int64'],
  ['edm.number', 'Edm.Decimal'],
  ['edm.bool', 'Edm.Boolean'],
]);

const primitiveLike = words('Edm.String Edm.Int32 Edm.Int64 Edm.Decimal Edm.Boolean Edm.Date Edm.DateTimeOffset Edm.Guid Edm.Double');

/** The members of a container by name; of several with one name, the first. */
export const membersOf = memoized(({ members }: EntityContainer) => new Map(members.toReversed().map((member) => [member.name, member])));

/** The names of a binding's target, optionally qualified by the container. */
export function targetNames(target: string, container: string): readonly string[] {
  const [first = '', ...rest] = target.split('/');
  return rest.length > 0 && (first.includes('.') || first === container) ? rest : [first, ...rest];
}
