import { faults, type Report } from '../faults.js';
import type { Reference, Schema, TypeReference, XmlElement } from './csdl.js';
import { elements } from './elements.js';
import { readAnnotations } from './read-annotation.js';
import { attributesOf, defaultOf, isFlag, memberOf, partsOf, type Typed } from './typed-elements.js';

/** The references of a document. */
export function readReferences(root: XmlElement, report: Report): readonly Reference[] {
  return childrenOf(root, ['Reference']).map((element) => readElement(element, report)) as unknown as readonly Reference[];
}

/** The schemas of a document, in its order. */
export function readSchemas(root: XmlElement, report: Report): readonly Schema[] {
  const schemas = childrenOf(root, ['DataServices']).flatMap((element) => childrenOf(element, ['Schema']));
  return schemas.map((element) => readElement(element, report)) as unknown as readonly Schema[];
}

// The tables of `typed-elements.ts` have the members of the types in `csdl.ts`.
function readElement(element: XmlElement, report: Report): Typed {
  const parts = partsOf(element.name).map(({ member, names, single }) => {
    if (member === 'annotations') return [member, annotationsOf(element, report)];
    const items = childrenOf(element, names).map((child) => readChild(child, names.length > 1, report));
    return [member, single ? items[0] : items];
  });
  return { at: element.at, ...readAttributes(element, report), ...(Object.fromEntries(parts) as Typed) };
}

// A key is the list of its properties.
function readChild(child: XmlElement, hasKind: boolean, report: Report): Typed | readonly Typed[] {
  if (child.name === 'Key') return childrenOf(child, ['PropertyRef']).map((ref) => readElement(ref, report));
  return { ...readElement(child, report), ...(hasKind && { kind: child.name }) };
}

function annotationsOf(element: XmlElement, report: Report): ReturnType<typeof readAnnotations> {
  const annotations = readAnnotations(element, report);
  if (element.name !== 'Annotations') return annotations;
  const common = element.attributes.get('Qualifier');
  return annotations.map((annotation) => ({ ...annotation, qualifier: annotation.qualifier ?? common }));
}

/** The type and the facets of an element as written (CSDL XML 4.01, 7.2). */
export function readType(element: XmlElement, report: Report): TypeReference {
  return readAttributes(element, report) as unknown as TypeReference;
}

function readAttributes(element: XmlElement, report: Report): Typed {
  return Object.assign({}, ...attributesOf(element.name).map((name) => readAttribute(element, name, report))) as Typed;
}

function readAttribute(element: XmlElement, name: string, report: Report): Typed {
  const owner = element.name;
  const value = element.attributes.get(name);
  const member = memberOf(owner, name);
  if (name === 'Type' && owner !== 'Singleton') return splitType(value ?? '');
  if (name === 'AppliesTo') return { [member]: (value ?? '').split(/\s+/).filter(Boolean) };
  if (isFlag(name)) {
    const isClosed = name === 'OpenType' && value === 'false';
    return { [member]: flag(element, name, report) ?? defaultOf(owner, name), ...(isClosed && { closed: true }) };
  }
  const words = facetWords[name];
  return { [member]: words === undefined ? (value ?? absent(element, name)) : facet(element, name, words, report) };
}

// A missing attribute has been reported; an empty name is not reported as unknown.
function absent({ name: owner }: XmlElement, name: string): string | undefined {
  return elements.get(owner)?.required.includes(name) ? '' : undefined;
}

/** The words that facets may have in place of a number. */
const facetWords: { readonly [facet: string]: readonly string[] | undefined } = {
  MaxLength: ['max'],
  Precision: [],
  Scale: ['variable', 'floating'],
  SRID: ['variable'],
};

function facet(element: XmlElement, name: string, words: readonly string[], report: Report): string | number | undefined {
  const value = element.attributes.get(name);
  const word = name === 'MaxLength' ? value : value?.toLowerCase();
  return words.find((one) => one === word) ?? wholeNumber(element, name, name === 'MaxLength' ? 1 : 0, report);
}

/** Splits `Collection(X)`. */
export function splitType(type: string): { readonly type: string; readonly collection: boolean } {
  const item = /^Collection\((.*)\)$/.exec(type)?.[1] ?? type;
  // An invalid name has been reported; an empty one is not reported as unknown.
  return { type: /[()]/.test(item) ? '' : item, collection: item !== type };
}

function flag(element: XmlElement, name: string, report: Report): boolean | undefined {
  const value = element.attributes.get(name);
  if (value === undefined || value === 'true' || value === 'false') return value === undefined ? undefined : value === 'true';
  report(faults.invalidAttribute(element.at, label(element), name, value, 'Write true or false.'));
  return undefined;
}

function wholeNumber(element: XmlElement, name: string, minimum: number, report: Report): number | undefined {
  const value = element.attributes.get(name);
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value) && Number(value) >= minimum) return Number(value);
  report(faults.invalidAttribute(element.at, label(element), name, value, `Write a whole number of at least ${minimum}.`));
  return undefined;
}

/** An element in a message, with its name if it has one: `Property City`. */
export function label({ name, attributes }: XmlElement): string {
  return `${name} ${attributes.get('Name') ?? ''}`.trim();
}

function childrenOf({ children }: XmlElement, names: readonly string[]): readonly XmlElement[] {
  return children.filter(({ name }) => names.includes(name));
}
