import { faults, type Report } from '../faults.js';
import { type Fault, ModelError } from '../model-error.js';
import type { Sources } from '../sources.js';
import { checkElements, isOData4 } from './check-elements.js';
import { attributeForms } from './content.js';
import type { Csdl, XmlElement } from './csdl.js';
import { expandAliases } from './expand-aliases.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';
import { readReferences, readSchemas } from './read-schema.js';
import { type ModelSource, readText, type ReadText } from './read-text.js';

/** Elements whose names only their own type or operation uses. */
const members: ReadonlySet<string> = new Set(['Property', 'Member', 'Parameter']);

/** The element with names that have no spaces around them, and members without hyphens; the same element if nothing changed. */
function trimNames(element: XmlElement, report: Report): XmlElement {
  const name = element.attributes.get('Name');
  const read = name === undefined ? undefined : nameOf(element, name, report);
  const children = element.children.map((child) => trimNames(child, report));
  if (read === name && children.every((child, index) => child === element.children[index])) return element;
  return { ...element, children, attributes: read === undefined ? element.attributes : new Map([...element.attributes, ['Name', read]]) };
}

function nameOf(element: XmlElement, name: string, report: Report): string {
  const { pattern } = attributeForms.get(`${element.name}/Name`) ?? attributeForms.get('Name') ?? { pattern: /^$/ };
  const trimmed = name.trim();
  const joined = members.has(element.name) ? trimmed.replaceAll('-', '_') : trimmed;
  const read = pattern.test(trimmed) ? trimmed : joined;
  if (read === name || !pattern.test(read)) return name;
  report(read === trimmed ? faults.spacedName(element.at, name, read) : faults.hyphenName(element.at, name, read));
  return read;
}

/** Parses a document in XML or JSON as written; throws when it cannot be parsed. */
export function parseCsdl(source: ModelSource, sources: Sources, report: Report, options: { readonly expandAliases?: boolean } = {}): Csdl {
  const read = readText(source, sources);
  const format = isJson(read) ? 'json' : 'xml';
  const found: Fault[] = [];
  const root = format === 'json' ? parseJson(read, report) : parseXml(read, report);
  if (!isOData4(root, (fault) => found.push(fault)))
    throw new ModelError(
      sources,
      found.map((fault) => ({ ...fault, severity: 'error' })),
    );
  const trimmed = trimNames(root, report);
  checkElements(trimmed, report);
  const document = readDocument(
    options.expandAliases ? expandAliases(trimmed) : trimmed,
    { path: source.path, text: read.text, format },
    report,
  );
  return trimmed === root ? document : { ...document, changed: true };
}

// A file named as JSON without markup is JSON, even if it is no object.
function isJson({ path, text }: ReadText): boolean {
  const begin = text.trimStart()[0];
  return begin === '{' || begin === '[' || (path.toLowerCase().endsWith('.json') && begin !== '<' && begin !== undefined);
}

function readDocument(root: XmlElement, from: Pick<Csdl, 'path' | 'text' | 'format'>, report: Report): Csdl {
  return {
    ...from,
    version: root.attributes.get('Version') ?? '',
    references: readReferences(root, report),
    schemas: readSchemas(root, report),
  };
}
