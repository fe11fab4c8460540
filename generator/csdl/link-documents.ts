import type { Report } from '../faults.js';
import type { AnnotationsOf, Csdl, IncludeAnnotations, Schema, SchemaElement } from './csdl.js';
import { elementsByName } from './map-elements.js';
import { extendContainers } from './extend-containers.js';
import { namesIn, qualifierOf, type Qualify } from './names-in.js';
import type { Documents } from './read-documents.js';

/**
 * The document of a model with its includes: the referenced schemas that its types, sets and operations use, the
 * included annotations, and merged containers.
 */
export function linkDocuments({ main, included }: Documents, report: Report): Csdl {
  const own = new Set(main.schemas.map(({ namespace }) => namespace));
  const others = included.flatMap(({ csdl }) => csdl.schemas).filter(({ namespace }) => !own.has(namespace));
  const qualify = qualifierOf(main);
  const reached = reach(main.schemas, others, qualify);
  const includedSchemas = others.flatMap((schema): readonly Schema[] => {
    const elements = schema.elements.filter((element) => reached.has(element));
    return elements.length === 0
      ? []
      : [
          {
            ...schema,
            alias: undefined,
            elements,
            targets: schema.targets.filter(({ target }) => elements.some(({ name }) => isWithin(target, `${schema.namespace}.${name}`))),
          },
        ];
  });
  const asked = [main, ...included.map(({ csdl }) => csdl)].flatMap(({ references }) =>
    references.flatMap(({ includeAnnotations }) => includeAnnotations),
  );
  const annotations = others.flatMap(({ targets }) => targets.flatMap((target) => askedOf(target, asked)));
  const [first, ...rest] = main.schemas;
  const schemas = first === undefined ? [] : [{ ...first, targets: [...first.targets, ...annotations] }, ...rest, ...includedSchemas];
  return {
    ...main,
    references: [...main.references, ...referencesOf(included)],
    schemas: extendContainers(schemas, qualify, report),
  };
}

// The aliases of these documents have been replaced.
function referencesOf(included: Documents['included']): Csdl['references'] {
  return included.flatMap(({ csdl }) =>
    csdl.references.map((one) => ({ ...one, includes: one.includes.map((include) => ({ ...include, alias: undefined })) })),
  );
}

// The schema elements that the model's own elements use, directly or not; terms and their types are not included, since
// they only describe.
function reach(own: readonly Schema[], others: readonly Schema[], qualify: Qualify): ReadonlySet<SchemaElement> {
  const byName = elementsByName(others);
  const reached = new Set<SchemaElement>();
  const queue = own.flatMap(({ elements }) => elements).filter(({ kind }) => kind !== 'Term');
  for (let element = queue.shift(); element !== undefined; element = queue.shift()) {
    for (const next of namesIn(element).flatMap((name) => byName.get(qualify(name)) ?? [])) {
      if (next.kind === 'Term' || reached.has(next)) continue;
      reached.add(next);
      queue.push(next);
    }
  }
  return reached;
}

function isWithin(target: string, element: string): boolean {
  return target === element || target.startsWith(`${element}/`) || target.startsWith(`${element}(`);
}

// The included annotations: filtered by the term's namespace, and optionally by qualifier and target namespace (CSDL
// XML 4.01, 3.3).
function askedOf({ target, annotations, at }: AnnotationsOf, asked: readonly IncludeAnnotations[]): readonly AnnotationsOf[] {
  const wanted = annotations.filter(({ term, qualifier }) =>
    asked.some(
      (filter) =>
        term.startsWith(`${filter.termNamespace}.`) &&
        (filter.qualifier === undefined || filter.qualifier === qualifier) &&
        (filter.targetNamespace === undefined || target.startsWith(`${filter.targetNamespace}.`)),
    ),
  );
  return wanted.length === 0 ? [] : [{ at, target, annotations: wanted }];
}
