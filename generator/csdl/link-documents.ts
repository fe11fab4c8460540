import { faults, type Report } from '../faults.js';
import type { AnnotationsOf, Csdl, EntityContainer, IncludeAnnotations, Schema, SchemaElement } from './csdl.js';
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
    return elements.length === 0 ? [] : [{ ...schema, alias: undefined, elements, targets: schema.targets.filter(({ target }) => elements.some(({ name }) => isWithin(target, `${schema.namespace}.${name}`))) }];
  });
  const asked = [main, ...beside.map(({ csdl }) => csdl)].flatMap(({ references }) => references.flatMap(({ includeAnnotations }) => includeAnnotations));
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
    asked.some((filter) =>
      term.startsWith(`${filter.termNamespace}.`)
      && (filter.qualifier === undefined || filter.qualifier === qualifier)
      && (filter.targetNamespace === undefined || target.startsWith(`${filter.targetNamespace}.`)),
    ),
  );
  return wanted.length === 0 ? [] : [{ at, target, annotations: wanted }];
}

function extendContainers(schemas: readonly Schema[], qualify: Qualify, report: Report): readonly Schema[] {
  const containers = new Map<string, EntityContainer>(
    schemas.flatMap(({ namespace, elements }) => elements.flatMap((element) => (element.kind === 'EntityContainer' ? [[`${namespace}.${element.name}`, element] as const] : []))),
  );
  const chains = new Map([...containers.values()].map((container) => [container, chainOf(container, containers, qualify, report)]));
  const extended = new Set([...chains.values()].flatMap((chain) => chain.slice(1)));
  return schemas.map((schema) => ({
    ...schema,
    elements: schema.elements.flatMap((element): readonly SchemaElement[] => {
      if (element.kind !== 'EntityContainer') return [element];
      const chain = chains.get(element) ?? [element];
      return extended.has(element) ? [] : [{ ...element, extends: undefined, members: chain.toReversed().flatMap(({ members }) => members) }];
    }),
  }));
}

// The container and those that it extends, the nearest first; one that leads back to itself extends nothing.
function chainOf(container: EntityContainer, containers: ReadonlyMap<string, EntityContainer>, qualify: Qualify, report: Report): readonly EntityContainer[] {
  const chain = [container];
  for (let last = container; last.extends !== undefined; ) {
    const base = containers.get(qualify(last.extends));
    if (base === undefined) {
      report(faults.unknownContainer(last.at, last.name, last.extends));
      return chain;
    }
    if (chain.includes(base)) {
      report(faults.extendsItself(container.at, container.name));
      return [container];
    }
    chain.push(base);
    last = base;
  }
  return chain;
}
