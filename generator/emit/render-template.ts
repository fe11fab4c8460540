import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { code, marked, plain } from './markdown.js';

// From the compiled file: emit, generator, dist, and from there to the sources.
const templates = new URL('../../../generator/templates/', import.meta.url);

const markdown = Handlebars.create();
markdown.registerHelper({
  code,
  plain: (text: string | undefined) => plain(text ?? ''),
  marked,
  codes: (texts: readonly string[]) => texts.map(code).join(', '),
});

/** Renders a template of the generator. */
export function renderTemplate(name: string, view: object): string {
  // HTML escapes would damage code and Markdown.
  const template = markdown.compile(readFileSync(new URL(name, templates), 'utf8'), { noEscape: true, strict: false });
  return template(view)
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n');
}
