import { emitReference, type EntityView, type ReferenceView } from '../emit/emit-reference.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';
import { databaseName } from '../graph/names/names.js';

/** The documentation of a model: its facts, and the pages of its sets and types. */
export interface Site {
  readonly graph: ModelGraph;
  readonly reference: ReferenceView;
  readonly sets: readonly SetEntry[];
  /** Parts of the model are hidden from the readers. */
  readonly isPartial?: boolean;
  /** The page of a navigation target, complex type or enumeration, from the folder of all pages. */
  readonly pageOf: (name: string) => string | undefined;
}

/** An entity source with its page. */
interface SetEntry {
  readonly entity: EntityNode;
  readonly view: EntityView;
  readonly path: string;
}

/** A page before it is rendered. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly template: string;
  readonly view: object;
  /** Names on the page that a search finds, and the prefix of their anchors. */
  readonly terms?: { readonly kind: string; readonly names: readonly string[]; readonly anchor: string };
}

/** Collects the facts of a model for its documentation. */
export function siteOf(graph: ModelGraph): Site {
  const reference = emitReference(graph);
  const nodes = new Map(graph.entities.map((entity) => [entity.name, entity]));
  const sets = reference.entities.flatMap((view): readonly SetEntry[] => {
    const entity = nodes.get(view.target);
    return entity === undefined ? [] : [{ entity, view, path: `sets/${fileName(view.set)}.html` }];
  });
  const types = [
    ...graph.complexTypes.map(({ qualifiedName }) => qualifiedName),
    ...graph.enumerations.map(({ table }) => table.qualifiedName),
  ];
  const pages = new Map([
    ...types.map((name) => [name, `types/${fileName(name)}.html`] as const),
    ...sets.map(({ view, path }) => [view.target, path] as const),
  ]);
  return { graph, reference, sets, pageOf: (name) => pages.get(name) };
}

/** The most bytes of a file's name without its ending; file systems take 255. */
const longestFile = 200;

/** The name of a file about a set or type: the start and a hash of a long one. A type in a set has a slash in its name. */
export function fileName(name: string): string {
  return databaseName(name.replaceAll('/', '.'), longestFile);
}

/** The addresses from a page of the pages of targets and types. */
export function linksFrom(page: string, { pageOf }: Site): (name: string) => string | undefined {
  return (name) => {
    const target = pageOf(name);
    return target && hrefFrom(page, target);
  };
}

/** The address of a page from another one. */
export function hrefFrom(page: string, target: string): string {
  return `${'../'.repeat(page.split('/').length - 1)}${encodeURI(target)}`;
}
