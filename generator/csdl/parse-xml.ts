import { createRequire } from 'node:module';
import type * as fastXmlParser from 'fast-xml-parser';
import { faults, type Report } from '../faults.js';
import type { Fault } from '../model-error.js';
import type { XmlElement } from './csdl.js';
import { inputLimits } from './limits.js';
import type { ReadText } from './read-text.js';
import { scanXml } from './scan-xml.js';

// One file, where `import` finds, opens and links forty.
const { XMLParser, XMLValidator } = createRequire(import.meta.url)('fast-xml-parser') as typeof fastXmlParser;

/** Parses an XML document into its root element; throws when it is not well-formed or exceeds a limit. */
export function parseXml(source: ReadText, report: Report): XmlElement {
  const { open, isPlain } = scanXml(source);
  const { text, refuse } = source;
  // The validator takes as long as the parser.
  const verdict = isPlain || XMLValidator.validate(text);
  if (text.trim() === '') refuse((at) => faults.malformed(at, 'it is empty.'), 0);
  if (verdict !== true && breaksOff(verdict.err.code, verdict.err.msg)) refuseOpen(source, open);
  if (verdict !== true) refuse((at) => faultOf(at, verdict.err.msg), offsetOf(text, verdict.err.line, verdict.err.col));
  const roots = (tryParse(source) as readonly Node[]).filter((node) => !('#text' in node));
  const [root, second] = roots.map((node) => toElement(node, new Map(), source.start, report));
  if (root === undefined) return refuse((at) => faults.malformed(at, 'there is no element.'), 0);
  return second === undefined ? root : refuse((at) => faults.malformed(at, 'a second root element.'), second.at - source.start);
}

function faultOf(at: number, message: string): Fault {
  return message.startsWith("char '&'") ? faults.entity(at, '&') : faults.malformed(at, message);
}

// The library lists all open elements, at the position of the first.
function breaksOff(code: string, message: string): boolean {
  return (code === 'InvalidXml' && message.startsWith("Invalid '[")) || message.startsWith('Unclosed tag ');
}

function refuseOpen({ text, refuse }: ReadText, open: readonly number[]): void {
  const start = open.at(-1);
  if (start === undefined) return;
  const [name] = /^[^\s/>]*/.exec(text.slice(start + 1, start + 200)) ?? [];
  const line = text.slice(0, start).split('\n').length;
  refuse((at) => faults.malformed(at, `it ends, but the element ${name} of line ${line} is not closed.`), text.trimEnd().length);
}

/** A node of fast-xml-parser with `preserveOrder`: one member named by the tag, with the children. */
type Node = { readonly [tag: string]: unknown };

// The library declares the type of the wrapper object but returns a primitive symbol.
const position = XMLParser.getMetaDataSymbol() as unknown as symbol;

function tryParse({ text, refuse }: ReadText): unknown {
  const parser = new XMLParser({
    preserveOrder: true,
    captureMetaData: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    // Entities are decoded below: XML's five and character references, none that a document declares.
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    cdataPropName: '#cdata',
    maxNestedTags: inputLimits.depth + 1,
  });
  try {
    return parser.parse(text);
  } catch (error) {
    return refuse((at) => faults.malformed(at, error instanceof Error ? error.message : String(error)), 0);
  }
}

// Attributes of XML Schema, such as schemaLocation, are allowed anywhere.
const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance';

type Namespaces = ReadonlyMap<string, string>;

function toElement(node: Node, outer: Namespaces, start: number, report: Report): XmlElement {
  const tag = Object.keys(node).find((key) => key !== ':@') ?? '';
  const at = start + ((Reflect.get(node, position) as { readonly startIndex?: number } | undefined)?.startIndex ?? 0);
  const decodeAt = (value: string): string => decodeEntities(value, at, report);
  const written = Object.entries((node[':@'] ?? {}) as { readonly [name: string]: string });
  const attributes = new Map(written.map(([name, value]) => [name, decodeAt(value.replace(/[\t\n]/g, ' '))]));
  const namespaces = scopeOf(attributes, outer);
  const [prefix, name] = splitName(tag);
  const children = (Object.hasOwn(node, tag) ? node[tag] : []) as readonly Node[];
  return {
    name,
    namespace: namespaces.get(prefix) ?? '',
    attributes: new Map([...attributes].filter(([key]) => key !== 'xmlns' && !key.includes(':'))),
    foreign: [...attributes.keys()].filter(
      (key) => key.includes(':') && !/^(xmlns|xml):/.test(key) && namespaces.get(splitName(key)[0]) !== schemaInstance,
    ),
    children: children
      .filter((child) => !('#text' in child) && !('#cdata' in child))
      .map((child) => toElement(child, namespaces, start, report)),
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

const named: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeEntities(value: string, at: number, report: Report): string {
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
  const isCharacter =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 32 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

// The library declares a column for every error, and has none for a document without elements.
function offsetOf(text: string, line: number, column: number | undefined): number {
  const lines = text.split('\n').slice(0, Math.max(0, line - 1));
  return Math.min(text.length, lines.reduce((sum, { length }) => sum + length + 1, 0) + Math.max(0, (column ?? 1) - 1));
}
