import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { memoized } from '../../runtime/edm/memoized.js';
import { escapeHtml, markedHtml } from './html.js';

// From the compiled file: portal, generator, dist, and from there to the sources.
const templates = new URL('../../../generator/templates/portal/', import.meta.url);

const html = Handlebars.create();
html.registerHelper({
  marked: (text: string | undefined) => new Handlebars.SafeString(markedHtml(text ?? '')),
  codes: (texts: readonly string[]) => new Handlebars.SafeString(texts.map((text) => `<code>${escapeHtml(text)}</code>`).join(', ')),
  is: (one: unknown, other: unknown) => one === other,
});

const load = memoized((folder: URL): ReadonlyMap<string, HandlebarsTemplateDelegate> => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.hbs'));
  // Indentation is for readers of the templates; code in a page comes from its view.
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8').replace(/^[ \t]+/gm, '');
  for (const name of names.filter((one) => one.startsWith('_'))) html.registerPartial(name.slice(1, -'.hbs'.length), read(name));
  return new Map(names.map((name) => [name, html.compile(read(name), { strict: false })]));
});

/** Renders a template of the documentation; texts of the view are escaped. */
export function renderPage(name: string, view: object): string {
  const template = load(templates).get(`${name}.hbs`);
  if (template === undefined) throw new Error(`There is no template ${name} in ${templates.pathname}.`);
  return template(view);
}

/** A file of the documentation that is the same for every model. */
export function readAsset(name: string): string {
  return readFileSync(new URL(name, templates), 'utf8');
}
