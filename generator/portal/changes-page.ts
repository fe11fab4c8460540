import type { Annotation, Csdl, Expression } from '../csdl/csdl.js';
import { isStructured } from '../csdl/map-elements.js';
import type { Page, Site } from './site.js';

/** The changes of a model: those of a changelog, and revisions of its elements. */
export function changesPage({ graph, isPartial }: Site, changelog: string): Page {
  // Revisions may be of hidden elements.
  const [releases, revisions] = [releasesIn(changelog), isPartial ? [] : revisionsIn(graph.csdl)];
  return {
    path: 'changes.html',
    title: 'Changes of the model',
    template: 'changes',
    view: { releases, revisions, hasAny: releases.length + revisions.length > 0 },
  };
}

/** The lines under "Model" of each release, as `gable diff --changelog` writes them. */
export function releasesIn(changelog: string): readonly { readonly version: string; readonly lines: readonly string[] }[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((release) => {
      const [title = ''] = release.split('\n');
      const section = /^### Model\n([\s\S]*?)(?=^### |(?![\s\S]))/m.exec(release)?.[1] ?? '';
      const lines = section
        .split('\n')
        .filter((line) => line.startsWith('- '))
        .map((line) => line.slice(2));
      return lines.length === 0 ? [] : [{ version: title.replace(/[[\]]/g, '').trim(), lines }];
    });
}

interface Revision {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly description: string;
}

const term = 'Org.OData.Core.V1.Revisions';

// Core.Revisions of types and their properties, and of the members of the container.
function revisionsIn({ schemas }: Csdl): readonly Revision[] {
  return schemas.flatMap(({ elements, targets }) => [
    ...elements.flatMap((element) => {
      const inner = element.kind === 'EntityContainer' ? element.members : isStructured(element) ? element.properties : [];
      return [
        ...revisionsOf(element.name, element.annotations),
        ...inner.flatMap((member) =>
          revisionsOf(`${element.kind === 'EntityContainer' ? '' : `${element.name}/`}${member.name}`, member.annotations),
        ),
      ];
    }),
    ...targets.flatMap(({ target, annotations }) => revisionsOf(target, annotations)),
  ]);
}

function revisionsOf(name: string, annotations: readonly Annotation[]): readonly Revision[] {
  return annotations
    .filter((annotation) => annotation.term === term)
    .flatMap(({ value }) => (value?.kind === 'collection' ? value.items : []))
    .map((item) => ({
      name,
      version: memberOf(item, 'Version'),
      kind: memberOf(item, 'Kind').replace(/^.*\//, ''),
      description: memberOf(item, 'Description'),
    }));
}

function memberOf(item: Expression, name: string): string {
  const value = item.kind === 'record' ? item.members.find(({ property }) => property === name)?.value : undefined;
  return value?.kind === 'constant' ? value.value : '';
}
