import { XMLParser } from 'fast-xml-parser';

/** An element of a document, without its namespace prefix. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  readonly children: readonly XmlNode[];
  readonly text: string;
}

type Ordered = { readonly [key: string]: unknown };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  removeNSPrefix: true,
  parseTagValue: false,
});

const parsed = new Map<string, XmlNode>();

/** The root element of a document; a case changes one document of many, and the others are parsed once. */
export function parseXml(text: string): XmlNode {
  const known = parsed.get(text) ?? parseRoot(text);
  parsed.set(text, known);
  return known;
}

function parseRoot(text: string): XmlNode {
  const root = (parser.parse(text) as readonly Ordered[]).map(nodeOf).find((node) => node.name !== '#text');
  if (root === undefined) throw new Error('The document has no element.');
  return root;
}

/** The element itself and all below it, in document order. */
export function descendants(node: XmlNode): readonly XmlNode[] {
  const all: XmlNode[] = [];
  const collect = (one: XmlNode): void => {
    all.push(one);
    one.children.forEach(collect);
  };
  collect(node);
  return all;
}

/** The children of that name. */
export function childrenNamed(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

function nodeOf(ordered: Ordered): XmlNode {
  const name = Object.keys(ordered).find((key) => key !== ':@') ?? '#text';
  const content = ordered[name];
  const parts = Array.isArray(content) ? (content as readonly Ordered[]).map(nodeOf) : [];
  return {
    name,
    attributes: (ordered[':@'] ?? {}) as { readonly [name: string]: string },
    children: parts.filter((part) => part.name !== '#text'),
    text: Array.isArray(content) ? parts.map((part) => part.text).join('') : String(content),
  };
}
