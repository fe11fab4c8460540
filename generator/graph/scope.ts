import { suggestion } from '../../runtime/errors/suggest.js';
import type { Csdl, EntityContainer, EnumType, Operation, SchemaElement, StructuredType, Term, TypeDefinition } from '../csdl/csdl.js';

/** What a qualified name of the document can stand for. */
export type Definition = Exclude<SchemaElement, Operation | Term>;
export type { EntityContainer, EnumType, StructuredType, TypeDefinition };

/** All names of the document, aliases expanded. */
export interface Scope {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly operations: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
  /** Name with its alias replaced by the namespace. */
  readonly qualify: (name: string) => string;
  readonly isDeclared: (qualifiedName: string) => boolean;
  /** Whether a name is of a namespace that is referred to, and of which no document was read. */
  readonly isOutside: (qualifiedName: string) => boolean;
  readonly suggest: (name: string) => string;
}

/** Collects every definition and alias of the document. */
export function buildScope({ schemas, references }: Csdl): Scope {
  const includes = references.flatMap(({ includes }) => includes);
  const aliases = new Map(
    [...includes, ...schemas].flatMap(({ alias, namespace }) => (alias === undefined ? [] : [[alias, namespace] as const])),
  );
  const namespaces = new Set([...includes, ...schemas].map(({ namespace }) => namespace));
  const definitions = new Map<string, Definition>();
  const operations = new Set<string>();
  for (const { namespace, elements } of schemas) {
    for (const element of elements) {
      if (isDefinition(element)) definitions.set(`${namespace}.${element.name}`, element);
      else operations.add(`${namespace}.${element.name}`);
    }
  }
  return {
    definitions,
    operations,
    namespaces,
    qualify: (name) => qualifyWith(aliases, name),
    isDeclared: (name) => namespaces.has(namespaceOf(name)),
    isOutside: (name) => namespaces.has(namespaceOf(name)) && !schemas.some(({ namespace }) => namespace === namespaceOf(name)),
    suggest: (name) => suggestion(name, [...definitions.keys(), ...primitiveLike]),
  };
}

/** The segments of a path, casts among them without aliases. */
export function qualifiedSegments(path: string, qualify: Scope['qualify']): readonly string[] {
  return path.split('/').map((segment) => (segment.includes('.') ? qualify(segment) : segment));
}

/** The names of a path without the types that it casts to. */
export function withoutCasts(segments: readonly string[]): readonly string[] {
  return segments.filter((segment) => !segment.includes('.'));
}

/** A type of records or of complex values and those that it derives from, the nearest first; none where the name is of no such type. */
export function structuresOf(name: string, scope: Scope): readonly StructuredType[] {
  return [name, ...basesOf(name, scope)].flatMap((one) => {
    const definition = scope.definitions.get(one);
    return definition?.kind === 'EntityType' || definition?.kind === 'ComplexType' ? [definition] : [];
  });
}

/** Everything before the last dot. */
export function namespaceOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** The types that a type derives from, the nearest first; no further where one is not known or derives from itself. */
export function basesOf(name: string, { definitions, qualify }: Scope): readonly string[] {
  const bases: string[] = [];
  for (let at = baseOf(name, definitions); at !== undefined; at = baseOf(bases.at(-1) ?? '', definitions)) {
    const base = qualify(at);
    if (base === name || bases.includes(base) || !definitions.has(base)) return bases;
    bases.push(base);
  }
  return bases;
}

function baseOf(name: string, definitions: ReadonlyMap<string, Definition>): string | undefined {
  const definition = definitions.get(name);
  return definition?.kind === 'EntityType' || definition?.kind === 'ComplexType' ? definition.baseType : undefined;
}

function qualifyWith(aliases: ReadonlyMap<string, string>, name: string): string {
  const namespace = namespaceOf(name);
  const full = aliases.get(namespace);
  return full === undefined ? name : full + name.slice(namespace.length);
}

function isDefinition(element: SchemaElement): element is Definition {
  return element.kind !== 'Action' && element.kind !== 'Function' && element.kind !== 'Term';
}

const primitiveLike = [
  'Edm.String',
  'Edm.Int32',
  'Edm.Int64',
  'Edm.Decimal',
  'Edm.Boolean',
  'Edm.Date',
  'Edm.DateTimeOffset',
  'Edm.Guid',
  'Edm.Double',
];
