/** The value of an attribute. */
type Value = string | number | boolean;

/** An element to be printed. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, Value>;
  readonly children: readonly XmlNode[];
  readonly text?: string;
}

/** An element with its attributes in the order given; those without a value are omitted. */
export function node(name: string, attributes: { readonly [name: string]: Value | undefined }, children: readonly XmlNode[] = []): XmlNode {
  const written = Object.entries(attributes).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return { name, attributes: new Map(written), children };
}

/** An element with text. */
export function textNode(name: string, text: string): XmlNode {
  return { name, attributes: new Map(), children: [], text };
}

/** The text of an attribute. */
export function attributeOf({ attributes }: XmlNode, name: string): string | undefined {
  const value = attributes.get(name);
  return value === undefined ? undefined : String(value);
}

/** The children with a name. */
export function childrenOf({ children }: XmlNode, name: string): readonly XmlNode[] {
  return children.filter((child) => child.name === name);
}

/** The element as indented text, one line per element. */
export function printXml({ name, attributes, children, text }: XmlNode, indent = ''): string {
  let written = `${indent}<${name}`;
  for (const [key, value] of attributes) written += ` ${key}="${escapeAttribute(String(value))}"`;
  if (text !== undefined) return `${written}>${escapeText(text)}</${name}>\n`;
  if (children.length === 0) return `${written}/>\n`;
  return `${written}>\n${children.map((child) => printXml(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#13;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replace(/"/g, '&quot;').replace(/\t/g, '&#9;').replace(/\n/g, '&#10;');
}
