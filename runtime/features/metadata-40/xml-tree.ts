/** An element of a well-formed document; `open` and `close` are its tags as written. */
export interface XmlElement {
  /** The name without its prefix. */
  readonly name: string;
  readonly open: string;
  readonly children: readonly (XmlElement | string)[];
  readonly close: string;
}

const tokens = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<(?:"[^"]*"|'[^']*'|[^>"'])*>|[^<]+/g;

/** The parts of a well-formed document: its root element, and the text, comments and instructions around it. */
export function readXml(text: string): XmlElement['children'] {
  const open: { tag: string; children: (XmlElement | string)[] }[] = [{ tag: '', children: [] }];
  for (const [token] of text.matchAll(tokens)) {
    if (token.startsWith('</')) {
      const { tag, children } = open.pop()!; // The document is well-formed.
      open.at(-1)?.children.push({ name: nameOf(tag), open: tag, children, close: token });
    } else if (/^<[^!?]/.test(token) && !token.endsWith('/>')) open.push({ tag: token, children: [] });
    else if (/^<[^!?]/.test(token)) open.at(-1)?.children.push({ name: nameOf(token), open: token, children: [], close: '' });
    else open.at(-1)?.children.push(token);
  }
  return open[0]?.children ?? [];
}

/** The text of elements; unchanged ones keep their original text. */
export function printXml(parts: XmlElement['children']): string {
  return parts.map((part) => (typeof part === 'string' ? part : `${part.open}${printXml(part.children)}${part.close}`)).join('');
}

/** The value of an attribute as written. */
export function attribute({ open }: XmlElement, name: string): string | undefined {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(open) ?? [];
  return double ?? single;
}

/** The element without an attribute. */
export function withoutAttribute(element: XmlElement, name: string): XmlElement {
  return { ...element, open: element.open.replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '') };
}

/** The element with another value of an attribute; the value has no letters that XML escapes. */
export function withAttribute(element: XmlElement, name: string, value: string): XmlElement {
  const bare = withoutAttribute(element, name);
  return { ...bare, open: bare.open.replace(/\s*\/?>$/, (end) => ` ${name}="${value}"${end}`) };
}

/** The child elements. */
export function elementsOf({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

function nameOf(tag: string): string {
  return /^<(?:[^\s/>:]*:)?([^\s/>]+)/.exec(tag)?.[1] ?? '';
}
