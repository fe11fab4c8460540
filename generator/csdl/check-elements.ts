import { suggestion } from '../../runtime/errors/suggest.js';
import { faults, type Report } from '../faults.js';
import type { XmlElement } from './csdl.js';
import { constants, elements, paths, type ElementRule } from './elements.js';

const edmx = 'http://docs.oasis-open.org/odata/ns/edmx';
const edm = 'http://docs.oasis-open.org/odata/ns/edm';
const inEdmx: ReadonlySet<string> = new Set(['Edmx', 'Reference', 'Include', 'IncludeAnnotations', 'DataServices']);
const withText: ReadonlySet<string> = new Set([...constants, ...paths, 'LabeledElementReference']);
const versions: ReadonlySet<string> = new Set(['4.0', '4.01']);

/** Whether the document is one whose grammar we know; of any other, a list of faults would say nothing. */
export function isOData4(root: XmlElement, report: Report): boolean {
  const version = root.attributes.get('Version') ?? '';
  const isEdmx = root.name === 'Edmx' && root.namespace === edmx;
  if (!isEdmx) report(faults.notOData4(root.at, `its root is ${root.name} in the namespace '${root.namespace}'`));
  else if (!versions.has(version)) report(faults.notOData4(root.at, `its version is '${version}'`));
  return isEdmx && versions.has(version);
}

/** Holds the document to the grammar of CSDL, so that a misspelt element or attribute is never silently dropped. */
export function checkElements(root: XmlElement, report: Report): void {
  const rule = elements.get(root.name);
  if (rule !== undefined) checkElement(root, rule, report);
}

function checkElement(element: XmlElement, rule: ElementRule, report: Report): void {
  for (const name of rule.required) {
    if (!element.attributes.has(name)) report(faults.missingAttribute(element.at, name, element.name));
  }
  const known = [...rule.required, ...rule.optional];
  for (const name of element.attributes.keys()) {
    if (!known.includes(name)) report(faults.unknownAttribute(element.at, name, element.name, suggestion(name, known)));
  }
  const stray = withText.has(element.name) ? '' : element.text.trim();
  if (stray !== '') report(faults.malformed(element.at, `the text '${stray.slice(0, 40)}' directly inside ${element.name}.`));
  for (const child of element.children) checkChild(child, element, rule, report);
}

function checkChild(child: XmlElement, parent: XmlElement, { children }: ElementRule, report: Report): void {
  const rule = elements.get(child.name);
  const namespace = inEdmx.has(child.name) ? edmx : edm;
  if (rule === undefined || !children.includes(child.name)) {
    report(faults.unknownElement(child.at, child.name, parent.name, suggestion(child.name, children)));
  } else if (child.namespace !== namespace) {
    report(faults.notOData4(child.at, `${child.name} is in the namespace '${child.namespace}'`));
  } else {
    checkElement(child, rule, report);
  }
}
