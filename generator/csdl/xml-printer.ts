/** An element to be printed: attributes without a value are omitted. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string | number | boolean | undefined])[];
  readonly children: readonly XmlNode[];
  readonly text?: string;
}

/** An element with its attributes in the order given. */
export function node(
  name: string,
  attributes: { readonly [name: string]: string | number | boolean | undefined },
  children: readonly XmlNode[] = [],
): XmlNode {
  return { name, attributes: Object.entries(attributes), children };
}

/** An element with text. */
export function textNode(name: string, text: string): XmlNode {
  return { name, attributes: [], children: [], text };
}

/** The element as indented text, one line per element. */
export function printXml({ name, attributes, children, text }: XmlNode, indent = ''): string {
  const written = attributes
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escapeAttribute(String(value))}"`]))
    .join('');
  if (text !== undefined) return `${indent}<${name}${written}>${escapeText(text)}</${name}>\n`;
  if (children.length === 0) return `${indent}<${name}${written}/>\n`;
  return `${indent}<${name}${written}>\n${children.map((child) => printXml(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#13;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replace(/"/g, '&quot;').replace(/\t/g, '&#9;').replace(/\n/g, '&#10;');
}
