import { faults, type Report } from '../faults.js';
import type { EntityContainer, Schema, SchemaElement } from './csdl.js';
import { elementsOf } from './map-elements.js';
import type { Qualify } from './names-in.js';

/** The schemas with extended containers merged into those that extend them. */
export function extendContainers(schemas: readonly Schema[], qualify: Qualify, report: Report): readonly Schema[] {
  const containers = new Map(elementsOf({ schemas }, 'EntityContainer').map(({ name, element }) => [name, element]));
  const chains = new Map([...containers.values()].map((container) => [container, chainOf(container, containers, qualify, report)]));
  const extended = new Set([...chains.values()].flatMap((chain) => chain.slice(1)));
  return schemas.map((schema) => ({
    ...schema,
    elements: schema.elements.flatMap((element): readonly SchemaElement[] => {
      if (element.kind !== 'EntityContainer') return [element];
      const chain = chains.get(element) ?? [element];
      return extended.has(element)
        ? []
        : [
            {
              ...element,
              extends: undefined,
              members: chain.toReversed().flatMap(({ members }) => members),
            },
          ];
    }),
  }));
}

// The container and those that it extends, the nearest first; a circular one extends nothing.
function chainOf(
  container: EntityContainer,
  containers: ReadonlyMap<string, EntityContainer>,
  qualify: Qualify,
  report: Report,
): readonly EntityContainer[] {
  const chain = [container];
  for (let last = container; last.extends !== undefined;) {
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
