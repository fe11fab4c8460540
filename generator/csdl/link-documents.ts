import type { Report } from '../faults.js';
import type { AnnotationsOf, Csdl, IncludeAnnotations, Schema, SchemaElement } from './csdl.js';
import { extendContainers } from './extend-containers.js';
import { namesIn, qualifierOf, type Qualify } from './names-in.js';
import type { Documents } from './read-documents.js';

/**
 * One document of a model and what it includes: the referenced schemas that its own types, sets and operations reach,
 * the annotations that it asks for, and containers with the members of those that they extend.
 */
export function linkDocuments({ main, beside }: Documents, report: Report): Csdl {
  const own = new Set(main.schemas.map(({ namespace }) => namespace));
  const others = beside.flatMap(({ csdl }) => csdl.schemas).filter(({ namespace }) => !own.has(namespace));
  const qualify = qualifierOf(main);
  const reached = reach(main.schemas, others, qualify);
  const included = others.flatMap((schema): readonly Schema[] => {
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
  const asked = [main, ...beside.map(({ csdl }) => csdl)].flatMap(({ references }) =>
    references.flatMap(({ includeAnnotations }) => includeAnnotations),
  );
  const annotations = others.flatMap(({ targets }) => targets.flatMap((target) => askedOf(target, asked)));
  const [first, ...rest] = main.schemas;
  const schemas = first === undefined ? [] : [{ ...first, targets: [...first.targets, ...annotations] }, ...rest, ...included];
  return { ...main, text: textOf({ main, beside }), schemas: extendContainers(schemas, qualify, report) };
}

// All that the model says, so that its hash changes with any of it.
function textOf({ main, beside }: Documents): string {
  return [main.changed === undefined ? main.text : JSON.stringify(main.schemas), ...beside.map(({ csdl }) => csdl.text)].join('\n');
}

// Everything that the model's own elements lead to; terms and their types stay outside, since they only describe.
function reach(own: readonly Schema[], others: readonly Schema[], qualify: Qualify): ReadonlySet<SchemaElement> {
  const byName = new Map<string, SchemaElement[]>();
  for (const { namespace, elements } of others) {
    for (const element of elements) {
      const name = `${namespace}.${element.name}`;
      byName.set(name, [...(byName.get(name) ?? []), element]);
    }
  }
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

// CSDL XML 4.01, 3.3: a filter on the term's namespace, and, where given, on the qualifier and on the target's namespace.
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
