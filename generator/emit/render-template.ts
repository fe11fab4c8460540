import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';

// From the compiled file: emit, generator, dist, and from there to the sources.
const templates = new URL('../../../generator/templates/', import.meta.url);

/** Renders a template of the generator. */
export function renderTemplate(name: string, view: object): string {
  // HTML escapes would damage code and Markdown.
  const template = Handlebars.compile(readFileSync(new URL(name, templates), 'utf8'), { noEscape: true, strict: false });
  return template(view)
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n');
}
