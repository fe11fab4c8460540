import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as handlebars from 'handlebars';

// From the compiled file: emit, generator, dist, and from there to the sources.
const templates = new URL('../../../generator/templates/', import.meta.url);

const compiled = new Map<string, handlebars.TemplateDelegate>();

/** Renders a template of the generator. */
export function renderTemplate(name: string, view: object): string {
  const template = compiled.get(name) ?? compileTemplate(name);
  compiled.set(name, template);
  return template(view)
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n');
}

function compileTemplate(name: string): handlebars.TemplateDelegate {
  // Loaded where a file is created once: most runs create none.
  const { compile } = createRequire(import.meta.url)('handlebars') as typeof handlebars;
  // HTML escapes would damage code and Markdown.
  return compile(readFileSync(new URL(name, templates), 'utf8'), { noEscape: true, strict: false });
}
