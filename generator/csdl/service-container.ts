import type { Csdl, EntityContainer } from './csdl.js';
import { elementsOf } from './map-elements.js';

/** An entity container with its schema. */
export interface FoundContainer {
  readonly container: EntityContainer;
  readonly namespace: string;
  readonly path: string;
}

/** The container of the service: the first that no other one extends (CSDL XML 4.01, 13.1.2). */
export function serviceContainer({ schemas }: Pick<Csdl, 'schemas'>): FoundContainer | undefined {
  const found = elementsOf({ schemas }, 'EntityContainer').map(({ name, namespace, element }) => ({
    container: element,
    namespace,
    path: name,
  }));
  const qualified = (name: string): string =>
    name.replace(/^.*(?=\.)/, (prefix) => schemas.find(({ alias }) => alias === prefix)?.namespace ?? prefix);
  const extended = new Set(found.map(({ container }) => qualified(container.extends ?? '')));
  return found.find(({ path }) => !extended.has(path)) ?? found[0];
}
