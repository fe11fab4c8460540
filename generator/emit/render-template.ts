import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';

// From the compiled file: emit, generator, dist, and from there to the sources.
const templates = new URL('../../../generator/templates/', import.meta.url);

/** A template of the generator, filled in. */
export function renderTemplate(name: string, view: object): string {
  // Views hold finished text of their own kind, SQL or Markdown, so HTML's escapes would only spoil it.
  const template = Handlebars.compile(readFileSync(new URL(name, templates), 'utf8'), { noEscape: true, strict: false });
  return template(view)
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n');
}
