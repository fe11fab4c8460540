import { root } from '../emit/example.js';
import type { ModelGraph } from '../graph/model-graph.js';
import type { OutputFile } from '../output/header.js';
import { changesPage } from './changes-page.js';
import { errorsPage, modelErrorsPage } from './errors-page.js';
import { functionsPage } from './functions-page.js';
import { guidePages } from './guide-pages.js';
import { officeFiles, officePages } from './office-pages.js';
import { readAsset, renderPage } from './render-page.js';
import { setPage } from './set-page.js';
import { hrefFrom, type Page, type Site, siteOf } from './site.js';
import { textFiles } from './text-files.js';
import { typePages } from './type-pages.js';
import { visibleGraph } from './visible-graph.js';

/** The inputs of the documentation besides the model. */
interface PortalOptions {
  /** The text of the changelog, if there is one. */
  readonly changelog?: string;
  /** The scopes of the readers, who see nothing of the model that these scopes do not show; everything by default. */
  readonly scopes?: readonly string[];
  /** The service root in examples; by default a placeholder, which the service replaces. */
  readonly root?: string;
}

/** The documentation of a model: static pages that are read without a script, and files for programs. */
export function emitPortal(graph: ModelGraph, options: PortalOptions = {}): readonly OutputFile[] {
  const { scopes } = options;
  const site = scopes === undefined ? siteOf(graph) : { ...siteOf(visibleGraph(graph, new Set(scopes))), isPartial: true };
  const sections = sectionsOf(site, options.changelog ?? '');
  const pages = sections.flatMap((section) => section.pages);
  const files = [
    ...pages.map((page) => ({ path: page.path, text: renderPage(page.template, { ...page.view, ...frameOf(page, sections, site) }) })),
    ...textFiles(site, pages),
    ...officeFiles(site),
    ...['docs.css', 'docs.js'].map((path) => ({ path, text: readAsset(path) })),
  ];
  const { root: served } = options;
  return served === undefined ? files : files.map(({ path, text }) => ({ path, text: text.replaceAll(origin, originOf(served)) }));
}

const origin = originOf(root);

function originOf(serviceRoot: string): string {
  return serviceRoot.replace(/\/odata\/?$/, '');
}

interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

function sectionsOf(site: Site, changelog: string): readonly Section[] {
  const sections = [
    { title: 'Guide', pages: guidePages(site) },
    { title: 'Without programming', pages: officePages(site) },
    { title: 'Sets', pages: site.sets.map((set) => setPage(set, site)) },
    { title: 'Reference', pages: [functionsPage(site), ...typePages(site), ...errorPages(site), changesPage(site, changelog)] },
  ];
  return sections.filter(({ pages }) => pages.length > 0);
}

// Readers of a part of the model write no models.
function errorPages(site: Site): readonly Page[] {
  return [errorsPage(site), ...(site.isPartial ? [] : [modelErrorsPage()])];
}

// The pages of types are reached from the page of all types, and the errors of models from those of requests.
function frameOf({ path, title }: Page, sections: readonly Section[], { reference }: Site) {
  return {
    title,
    site: reference.title,
    isStart: path === 'index.html',
    up: '../'.repeat(path.split('/').length - 1),
    menu: sections.map((section) => ({
      title: section.title,
      pages: section.pages
        .filter(({ path: one }) => !one.startsWith('types/') && one !== 'model-errors.html')
        .map((page) => ({
          title: page.path === 'index.html' ? 'Start' : page.title,
          href: hrefFrom(path, page.path),
          current: page.path === path,
        })),
    })),
  };
}
