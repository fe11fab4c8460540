import { faults, type Report } from '../faults.js';
import { attributeForms } from './content.js';
import type { XmlElement } from './csdl.js';

/** Elements whose names only their own type or operation uses. */
const members: ReadonlySet<string> = new Set(['Property', 'Member', 'Parameter']);

/** The element with names that have no spaces around them, and members without hyphens; the same element if nothing changed. */
export function trimNames(element: XmlElement, report: Report): XmlElement {
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
