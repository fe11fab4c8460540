import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { faults } from '../faults.js';
import { ModelError, type Fault } from '../model-error.js';
import { checkElements, isOData4 } from './check-elements.js';
import type { Csdl, XmlElement } from './csdl.js';
import { inputLimits } from './limits.js';
import { readReferences, readSchemas } from './read-schema.js';

/** The bytes of a model and the path that messages and headers name. */
export interface ModelSource {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Reads a model as written; throws when it is not text, not XML, or too large to be looked into. */
export function parseCsdl(source: ModelSource): Csdl {
  const text = decode(source);
  const refuse = (fault: Fault): never => {
    throw new ModelError(source.path, text, [fault]);
  };
  checkText(text, refuse);
  const found: Fault[] = [];
  const root = parseElement(text, refuse, found);
  if (!isOData4(root, (fault) => found.push(fault))) throw new ModelError(source.path, text, found);
  checkElements(root, (fault) => found.push(fault));
  const report = (fault: Fault): void => void found.push(fault);
  return {
    path: source.path,
    text,
    version: root.attributes.get('Version') ?? '',
    references: readReferences(root, report),
    schemas: readSchemas(root, report),
    faults: found,
  };
}

type Refuse = (fault: Fault) => never;

function decode({ path, bytes }: ModelSource): string {
  if (bytes.byteLength > inputLimits.bytes) throw new ModelError(path, '', [faults.limit(0, 'bytes', String(inputLimits.bytes))]);
  try {
    // XML reads every line break as a line feed (XML 1.0, 2.11), and so do our offsets.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    throw new ModelError(path, '', [faults.notUtf8(0, 'it has bytes that are no character')]);
  }
}

function checkText(text: string, refuse: Refuse): void {
  const encoding = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1];
  if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') refuse(faults.notUtf8(0, `it says ${encoding}`));
  const control = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  if (control >= 0) refuse(faults.malformed(control, 'a control character.'));
  const markup = text.replace(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g, (hidden) => ' '.repeat(hidden.length));
  const doctype = markup.search(/<!DOCTYPE/i);
  if (doctype >= 0) refuse(faults.doctype(doctype));
  const verdict = XMLValidator.validate(text);
  if (verdict !== true) refuse(faults.malformed(offsetOf(text, verdict.err.line, verdict.err.col), verdict.err.msg));
  checkSize(markup, refuse);
}

// Counted before the tree is built, so that the tree cannot cost more than the limits allow.
function checkSize(markup: string, refuse: Refuse): void {
  let depth = 0;
  let count = 0;
  for (const tag of markup.matchAll(/<(\/?)[^\s>/!?]+((?:"[^"]*"|'[^']*'|[^"'>])*)>/g)) {
    const [, closing, rest = ''] = tag;
    if (closing !== '') {
      depth--;
      continue;
    }
    depth++;
    count++;
    if (depth > inputLimits.depth) refuse(faults.limit(tag.index, 'levels of elements', String(inputLimits.depth)));
    if (count > inputLimits.elements) refuse(faults.limit(tag.index, 'elements', String(inputLimits.elements)));
    const attributes = rest.match(/=\s*(?:"[^"]*"|'[^']*')/g)?.length ?? 0;
    if (attributes > inputLimits.attributes) refuse(faults.limit(tag.index, 'attributes on one element', String(inputLimits.attributes)));
    if (rest.endsWith('/')) depth--;
  }
}

/** A node as fast-xml-parser gives it with `preserveOrder`: one member named by the tag, holding the children. */
type Node = { readonly [tag: string]: unknown };

// The library declares the wrapper object's type, and returns a primitive symbol.
const position = XMLParser.getMetaDataSymbol() as unknown as symbol;

function parseElement(text: string, refuse: Refuse, found: Fault[]): XmlElement {
  const parser = new XMLParser({
    preserveOrder: true,
    captureMetaData: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    // Entities are decoded below: the five of XML and numbers, nothing that a document could declare.
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    cdataPropName: '#cdata',
    maxNestedTags: inputLimits.depth + 1,
  });
  const roots = (tryParse(parser, text, refuse) as readonly Node[]).filter((node) => !('#text' in node));
  const [root, second] = roots.map((node) => toElement(node, new Map(), (fault) => found.push(fault)));
  if (root === undefined) return refuse(faults.malformed(0, 'there is no element.'));
  return second === undefined ? root : refuse(faults.malformed(second.at, 'a second root element.'));
}

function tryParse(parser: XMLParser, text: string, refuse: Refuse): unknown {
  try {
    return parser.parse(text);
  } catch (error) {
    return refuse(faults.malformed(0, error instanceof Error ? error.message : String(error)));
  }
}

type Namespaces = ReadonlyMap<string, string>;

function toElement(node: Node, outer: Namespaces, report: (fault: Fault) => void): XmlElement {
  const tag = Object.keys(node).find((key) => key !== ':@') ?? '';
  const at = (Reflect.get(node, position) as { readonly startIndex?: number } | undefined)?.startIndex ?? 0;
  const decodeAt = (value: string): string => decodeEntities(value, at, report);
  const written = Object.entries((node[':@'] ?? {}) as { readonly [name: string]: string });
  const attributes = new Map(written.map(([name, value]) => [name, decodeAt(value.replace(/[\t\n]/g, ' '))]));
  const namespaces = scopeOf(attributes, outer);
  const [prefix, name] = splitName(tag);
  const children = node[tag] as readonly Node[];
  return {
    name,
    namespace: namespaces.get(prefix) ?? '',
    attributes: new Map([...attributes].filter(([key]) => key !== 'xmlns' && !key.includes(':'))),
    children: children.filter((child) => !('#text' in child) && !('#cdata' in child)).map((child) => toElement(child, namespaces, report)),
    text: children.map((child) => textOf(child, decodeAt)).join(''),
    at,
  };
}

function textOf(node: Node, decodeAt: (value: string) => string): string {
  if ('#text' in node) return decodeAt(String(node['#text']));
  if (!('#cdata' in node)) return '';
  return (node['#cdata'] as readonly Node[]).map((child) => String(child['#text'] ?? '')).join('');
}

function scopeOf(attributes: ReadonlyMap<string, string>, outer: Namespaces): Namespaces {
  const declared = [...attributes].filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  return declared.length === 0 ? outer : new Map([...outer, ...declared.map(([name, uri]) => [name.slice(6), uri] as const)]);
}

function splitName(tag: string): readonly [string, string] {
  const colon = tag.indexOf(':');
  return colon < 0 ? ['', tag] : [tag.slice(0, colon), tag.slice(colon + 1)];
}

const named: ReadonlyMap<string, string> = new Map([['lt', '<'], ['gt', '>'], ['amp', '&'], ['quot', '"'], ['apos', "'"]]);

function decodeEntities(value: string, at: number, report: (fault: Fault) => void): string {
  if (value.includes('<')) report(faults.malformed(at, 'a < inside a value.'));
  return value.replace(/&([^;\s]{0,10};?)/g, (written: string, body: string) => {
    const decoded = body.endsWith(';') ? (named.get(body.slice(0, -1)) ?? numeric(body.slice(0, -1))) : undefined;
    if (decoded === undefined) report(faults.entity(at, written));
    return decoded ?? written;
  });
}

function numeric(body: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(body) ?? [];
  const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
  const isCharacter = code === 9 || code === 10 || code === 13 || (code >= 32 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

function offsetOf(text: string, line: number, column: number | undefined): number {
  const lines = text.split('\n').slice(0, Math.max(0, line - 1));
  return Math.min(text.length, lines.reduce((sum, { length }) => sum + length + 1, 0) + Math.max(0, (column ?? 1) - 1));
}
