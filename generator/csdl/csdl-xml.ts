import type { Annotation, Csdl } from './csdl.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { namespaces } from './elements.js';
import { annotationNodes, typedAttributes } from './expression-xml.js';
import { partsOf, type Typed } from './typed-elements.js';
import { node, printXml, type XmlNode } from './xml-printer.js';

/** The complete document as CSDL XML 4.01. */
export function csdlToXml(csdl: Csdl): string {
  return printXml(csdlNode(csdl));
}

/** The document as its root element, from which both forms are printed. */
export const csdlNode = memoized(({ version, references, schemas }: Csdl): XmlNode =>
  node('edmx:Edmx', { 'xmlns:edmx': namespaces.edmx, xmlns: namespaces.edm, Version: version }, [
    ...references.map((reference) => elementNode('Reference', { ...reference })),
    node(
      'edmx:DataServices',
      {},
      schemas.map((schema) =>
        elementNode('Schema', { ...schema, targets: schema.targets.filter(({ annotations }) => annotations.length > 0) }),
      ),
    ),
  ]),
);

function elementNode(name: string, element: Typed): XmlNode {
  const children = partsOf(name).flatMap(({ member, names }): readonly XmlNode[] => {
    const found = element[member] ?? [];
    const items = (Array.isArray(found) ? found : [found]) as readonly Typed[];
    if (member === 'annotations') return annotationNodes(items as unknown as readonly Annotation[]);
    return items.map((item) => childNode(names.length === 1 ? (names[0] ?? '') : String(item['kind']), item));
  });
  return node(namespaces.of(name) === namespaces.edmx ? `edmx:${name}` : name, typedAttributes(name, element), children);
}

// A key is the list of its properties.
function childNode(name: string, item: Typed | readonly Typed[]): XmlNode {
  return isKey(item)
    ? node(
        name,
        {},
        item.map((ref) => elementNode('PropertyRef', ref)),
      )
    : elementNode(name, item);
}

function isKey(item: Typed | readonly Typed[]): item is readonly Typed[] {
  return Array.isArray(item);
}
