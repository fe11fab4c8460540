import { faults, type Report } from '../faults.js';
import { attributeForms } from './content.js';
import type { XmlElement } from './csdl.js';

/** The element with names that have no spaces around them; the same element if nothing changed. */
export function trimNames(element: XmlElement, report: Report): XmlElement {
  const name = element.attributes.get('Name');
  const trimmed = name?.trim();
  const form = attributeForms.get(`${element.name}/Name`) ?? attributeForms.get('Name');
  const isTrimmed = name !== undefined && trimmed !== undefined && trimmed !== name && form?.pattern.test(trimmed) === true;
  if (isTrimmed) report(faults.spacedName(element.at, name, trimmed));
  const children = element.children.map((child) => trimNames(child, report));
  if (!isTrimmed && children.every((child, index) => child === element.children[index])) return element;
  return { ...element, children, attributes: isTrimmed ? new Map([...element.attributes, ['Name', trimmed]]) : element.attributes };
}
