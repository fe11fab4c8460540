import { faults, type Report } from '../faults.js';
import { attributeForms } from './content.js';
import type { XmlElement } from './csdl.js';
import { withReferences } from './expand-aliases.js';
import { inputLimits } from './limits.js';
import { identifierPart, identifierStart } from '../../runtime/edm/identifier.js';

/** The element with names that have no spaces around them, and underscores for spaces and hyphens; the same element if nothing changed. */
export function mendNames(root: XmlElement, report: Report): XmlElement {
  const mended = new Map<string, string>();
  const named = withDeclared(root, (element, name) => {
    const read = nameOf(element, name, report);
    if (read !== name) mended.set(name, read).set(name.trim(), read);
    return read;
  });
  return mended.size === 0 ? named : withReferences(named, (text) => renamed(text, mended));
}

function withDeclared(element: XmlElement, read: (element: XmlElement, name: string) => string): XmlElement {
  const name = element.attributes.get('Name');
  const mended = name === undefined ? undefined : read(element, name);
  const children = element.children.map((child) => withDeclared(child, read));
  if (mended === name && children.every((child, index) => child === element.children[index])) return element;
  return {
    ...element,
    children,
    attributes: mended === undefined ? element.attributes : new Map([...element.attributes, ['Name', mended]]),
  };
}

function nameOf(element: XmlElement, name: string, report: Report): string {
  const { pattern } = attributeForms.get(`${element.name}/Name`) ?? attributeForms.get('Name') ?? { pattern: /^$/ };
  const trimmed = name.trim();
  // A reference to a property is read as its declaration.
  const joined = element.name === 'PropertyRef' ? trimmed : trimmed.replaceAll(/[- ]/g, '_');
  const read = pattern.test(trimmed) ? trimmed : joined;
  if (read === name || !pattern.test(read)) return name;
  report(read === trimmed ? faults.spacedName(element.at, name, read) : faults.hyphenName(element.at, name, read));
  return read;
}

const segment = /[^/.@#(),]+/g;
const word = new RegExp(`[${identifierStart}][${identifierPart}-]*`, 'gu');

function renamed(text: string, names: ReadonlyMap<string, string>): string {
  if (text.length > inputLimits.name) return text;
  // A name may have spaces, which separate the paths of a list.
  return text.replace(segment, (part) => names.get(part) ?? part.replace(word, (name) => names.get(name) ?? name));
}
