import { nearestOf } from '../../runtime/errors/suggest.js';
import type { Csdl, Schema, SchemaElement, StructuredType } from '../csdl/csdl.js';
import { isStructured } from '../csdl/map-elements.js';
import { namespaceOf, qualifierOf } from '../csdl/names-in.js';
import { localName } from '../../runtime/edm/lookup.js';

/** The names of a model before the graph is built. */
export interface Names {
  readonly qualify: (name: string) => string;
  readonly elements: ReadonlyMap<string, SchemaElement>;
  readonly isDeclared: (name: string) => boolean;
  /** Suggests a known name with a similar last part; whole names would all be similar, since namespaces are long. */
  readonly suggest: (name: string) => string;
}

/** The names of a document and its includes. */
export function namesOf(csdl: Csdl, included: readonly Schema[]): Names {
  const { schemas, references } = csdl;
  const namespaces = new Set([...references.flatMap(({ includes }) => includes), ...schemas].map(({ namespace }) => namespace));
  const elements = new Map(
    [...included, ...schemas].flatMap((schema) =>
      schema.elements.map((element) => [`${schema.namespace}.${element.name}`, element] as const),
    ),
  );
  const byLast = new Map([...elements.keys()].map((name) => [localName(name), name] as const));
  // A document without one of its imports refers hundreds of times to a few unknown names.
  const nearest = new Map<string, string | undefined>();
  return {
    elements,
    suggest: (name) => {
      if (!nearest.has(name)) nearest.set(name, nearestOf(localName(name), byLast.keys()));
      const known = nearest.get(name);
      return known === undefined ? '' : ` Did you mean ${byLast.get(known)}?`;
    },
    qualify: qualifierOf(csdl),
    isDeclared: (name) => namespaces.has(namespaceOf(name)),
  };
}

/** A type and its base types, the nearest first; ends at a cycle. */
export function lineOf(type: StructuredType, names: Names): readonly StructuredType[] {
  const line = [type];
  for (let base = baseOf(type, names); base !== undefined && !line.includes(base); base = baseOf(base, names)) line.push(base);
  return line;
}

/** The properties of a type, inherited ones last. */
export function propertiesOf(type: StructuredType, names: Names): StructuredType['properties'] {
  return lineOf(type, names).flatMap(({ properties }) => properties);
}

function baseOf({ baseType }: StructuredType, { elements, qualify }: Names): StructuredType | undefined {
  const base = baseType === undefined ? undefined : elements.get(qualify(baseType));
  return isStructured(base) ? base : undefined;
}
