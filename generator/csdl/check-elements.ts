import { suggestion } from '../../runtime/errors/suggest.js';
import { faults, type Report } from '../faults.js';
import { attributeForms, contents, expressionForms, type Form } from './content.js';
import type { XmlElement } from './csdl.js';
import { constants, elements, namespaces, paths, type ElementRule } from './elements.js';
import { inputLimits, maxIdentifierLength } from './limits.js';
import { label } from './read-schema.js';

const withText: ReadonlySet<string> = new Set([...constants, ...paths, 'LabeledElementReference']);
const versions: ReadonlySet<string> = new Set(['4.0', '4.01']);

// Namespaces of versions before 4.0.
const older: readonly (readonly [RegExp, string])[] = [
  [/^http:\/\/schemas\.microsoft\.com\/ado\/2007\/06\/edmx$/, 'it has the CSDL of OData 1 to 3'],
  [
    /^http:\/\/schemas\.microsoft\.com\/ado\/2009\/11\/edmx$|^http:\/\/schemas\.microsoft\.com\/ado\/2008\/10\/edmx$/,
    'it is an entity model of the Entity Framework',
  ],
];

/** Whether the root is OData 4; the grammar of any other document is not checked. */
export function isOData4(root: XmlElement, report: Report): boolean {
  const version = root.attributes.get('Version') ?? '';
  const isEdmx = root.name === 'Edmx' && root.namespace === namespaces.edmx;
  const known = older.find(([namespace]) => namespace.test(root.namespace))?.[1];
  if (known !== undefined) report(faults.olderVersion(root.at, known));
  else if (!isEdmx) report(faults.notOData4(root.at, `its root is ${root.name} in the namespace '${root.namespace}'`, hintOf(root)));
  else if (!versions.has(version))
    report(
      faults.notOData4(root.at, version === '' ? 'it has no version' : `its version is '${version}'`, version === '' ? versionHint : ''),
    );
  return isEdmx && versions.has(version);
}

const versionHint = 'Write <edmx:Edmx Version="4.01">, or in JSON "$Version": "4.01".';

// A document fetched without a token is often the sign-in page.
function hintOf({ name }: XmlElement): string {
  return name.toLowerCase() === 'html'
    ? 'It is a web page, perhaps of a sign-in: download $metadata again, with credentials and Accept: application/xml.'
    : '';
}

/** Checks the document against the grammar of CSDL, so that no misspelt element or attribute is silently dropped. */
export function checkElements(root: XmlElement, report: Report): void {
  const rule = elements.get(root.name);
  if (rule !== undefined) checkElement(root, rule, report);
}

function checkElement(element: XmlElement, rule: ElementRule, report: Report): void {
  checkAttributes(element, rule, report);
  checkText(element, report);
  for (const child of element.children) checkChild(child, element, rule, report);
  checkContent(element, rule, report);
}

// Attributes of any length; all others are names, paths and small constants.
const unbounded: ReadonlySet<string> = new Set(['String', 'Binary', 'DefaultValue']);

function checkAttributes(element: XmlElement, rule: ElementRule, report: Report): void {
  const { name: owner, at, attributes, foreign } = element;
  for (const name of rule.required) {
    if (!attributes.has(name)) report(faults.missingAttribute(at, name, owner));
  }
  const known = [...rule.required, ...rule.optional];
  for (const [name, value] of attributes) {
    if (value.length > inputLimits.name && !unbounded.has(name))
      report(faults.limit(at, `characters in one ${name}`, String(inputLimits.name)));
    else if (!known.includes(name)) report(faults.unknownAttribute(at, name, owner, suggestion(name, known)));
    else checkForm(element, name, value, formOf(owner, name, known), report);
  }
  for (const name of foreign) report(faults.foreignAttribute(at, name, owner));
}

// `Path` is an expression of an annotation and a property of a binding; the other attributes decide which.
function formOf(owner: string, name: string, known: readonly string[]): Form | undefined {
  if (known.includes('AnnotationPath') && (expressionForms.has(name) || paths.includes(name))) return expressionForms.get(name);
  return attributeForms.get(`${owner}/${name}`) ?? attributeForms.get(name);
}

function checkForm(element: XmlElement, name: string, value: string, wanted: Form | undefined, report: Report): void {
  const { at } = element;
  const isName = name === 'Name' && element.name !== 'PropertyRef';
  const fits = wanted === undefined || wanted.pattern.test(value);
  if (isName && (!fits || [...value].length > maxIdentifierLength)) report(faults.invalidIdentifier(at, value));
  else if (!fits) report(faults.invalidAttribute(at, label(element), name, value, wanted.wanted));
}

function checkText({ name, at, text, children }: XmlElement, report: Report): void {
  if (!withText.has(name)) {
    const stray = text.trim();
    if (stray !== '') report(faults.malformed(at, `the text '${stray.slice(0, 40)}' directly inside ${name}.`));
    return;
  }
  const wanted = expressionForms.get(name);
  if (wanted !== undefined && text.length > inputLimits.name && name !== 'Binary')
    return report(faults.limit(at, `characters in one ${name}`, String(inputLimits.name)));
  if (wanted !== undefined && text.length <= inputLimits.name && !wanted.pattern.test(text.trim()))
    report(faults.invalidAttribute(at, name, 'the text', text.trim(), wanted.wanted));
  for (const child of children) report(faults.unknownElement(child.at, child.name, name));
}

function checkChild(child: XmlElement, parent: XmlElement, { children }: ElementRule, report: Report): void {
  const rule = elements.get(child.name);
  if (withText.has(parent.name)) return;
  if (rule === undefined || !children.includes(child.name)) {
    report(faults.unknownElement(child.at, child.name, parent.name, suggestion(child.name, children)));
  } else if (child.namespace !== namespaces.of(child.name)) {
    const known = older.find(([namespace]) => namespace.test(child.namespace))?.[1];
    report(
      known === undefined
        ? faults.notOData4(child.at, `${child.name} is in the namespace '${child.namespace}'`)
        : faults.olderVersion(child.at, known),
    );
  } else {
    checkElement(child, rule, report);
  }
}

// Checks order and number of known children; unknown children have been reported.
function checkContent({ name, at, children }: XmlElement, rule: ElementRule, report: Report): void {
  const pattern = contents.get(name);
  if (pattern === undefined || !children.every((child) => rule.children.includes(child.name))) return;
  if (pattern.test(children.map((child) => `${child.name} `).join(''))) return;
  report(faults.content(at, name, shapes[name] ?? 'Put its annotations first, then the correct number of operands.'));
}

const shapes: { readonly [name: string]: string } = {
  Edmx: 'Write the references first, then one edmx:DataServices.',
  Reference: 'Write at least one edmx:Include or edmx:IncludeAnnotations.',
  DataServices: 'Write at least one Schema.',
  Key: 'Write at least one PropertyRef.',
  NavigationProperty: 'Write OnDelete once.',
  EnumType: 'Write at least one Member.',
  Action: 'Write ReturnType once.',
  Function: 'Write ReturnType once.',
  EntityContainer: 'Write at least one entity set, singleton or import.',
  Annotations: 'Write at least one Annotation.',
  Annotation: 'Write one value, and any annotations of the annotation.',
};
