import { faults } from '../faults.js';
import { inputLimits } from './limits.js';
import type { ReadText } from './read-text.js';

/** The markup of a document. */
export interface ScannedXml {
  /** The offsets of the elements that are open at the end. */
  readonly open: readonly number[];
  /** Whether it is well-formed for sure, since nothing in it needs a closer look. */
  readonly isPlain: boolean;
}

/**
 * Scans the markup before it is parsed: checks limits of size and depth, and rejects expandable entities and what the
 * parser reads over, in linear time.
 */
export function scanXml(source: ReadText): ScannedXml {
  const { text, refuse } = source;
  const encoding = /^<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1];
  if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') refuse((at) => faults.notUtf8(at, `it declares ${encoding}`), 0);
  const control = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  if (control >= 0) refuse((at) => faults.malformed(at, 'a control character.'), control);
  const size: Size = { open: [], elements: 0, isPlain: true };
  for (let at = skipText(source, 0, size); at >= 0; at = skipText(source, at, size)) at = skipMarkup(source, at, size);
  return { open: size.open, isPlain: size.isPlain && size.elements > 0 && size.open.length === 0 };
}

interface Size {
  readonly open: number[];
  elements: number;
  isPlain: boolean;
}

// The next markup. Text before it must not have the end of a CDATA section (XML 1.0, 2.4).
function skipText({ text, refuse }: ReadText, start: number, size: Size): number {
  const next = text.indexOf('<', start);
  const skipped = text.slice(start, next < 0 ? undefined : next);
  const close = skipped.indexOf(']]>');
  size.isPlain &&= size.open.length > 0 ? !skipped.includes('&') : /^[ \t\r\n]*$/.test(skipped);
  return close < 0 ? next : refuse((at) => faults.malformed(at, ']]> outside a CDATA section.'), start + close);
}

const skipped = [
  ['<!--', '-->', 'a comment'],
  ['<![CDATA[', ']]>', 'a CDATA section'],
  ['<?', '?>', 'a processing instruction'],
] as const;

function skipMarkup(source: ReadText, start: number, size: Size): number {
  const { text, refuse } = source;
  for (const [open, close, what] of skipped) {
    if (!text.startsWith(open, start)) continue;
    const end = text.indexOf(close, start + open.length);
    if (end < 0) refuse((at) => faults.malformed(at, `${what} without an end.`), start);
    if (open === '<!--') checkComment(source, start, end);
    if (open === '<?') checkInstruction(source, start);
    size.isPlain &&= open === '<!--' || start === 0;
    return end + close.length;
  }
  if (text.startsWith('<!', start)) {
    const isDoctype = text.slice(start, start + 9).toUpperCase() === '<!DOCTYPE';
    return refuse((at) => (isDoctype ? faults.doctype(at) : faults.malformed(at, 'a declaration.')), start);
  }
  return skipTag(source, start, size);
}

// The first two hyphens of a comment end it (XML 1.0, 2.5).
function checkComment({ text, refuse }: ReadText, start: number, end: number): void {
  const hyphens = text.indexOf('--', start + '<!--'.length);
  if (hyphens < end) refuse((at) => faults.malformed(at, 'two hyphens inside a comment.'), hyphens);
}

// The name is reserved for the declaration, in any case (XML 1.0, 2.6).
function checkInstruction({ text, refuse }: ReadText, start: number): void {
  if (start > 0 && /^<\?xml[\s?]/i.test(text.slice(start, start + 6)))
    refuse((at) => faults.malformed(at, 'an XML declaration that is not the first text of the file.'), start);
}

function skipTag(source: ReadText, start: number, size: Size): number {
  const { text, refuse } = source;
  const isClosing = text[start + 1] === '/';
  size.isPlain &&= isClosing ? isPlainEnd(text, start, size.open.at(-1)) : isPlainStart(text, start, size);
  if (!isClosing) {
    size.elements++;
    size.open.push(start);
    if (size.elements > inputLimits.elements) refuse((at) => faults.limit(at, 'elements', String(inputLimits.elements)), start);
    if (size.open.length > inputLimits.depth) refuse((at) => faults.limit(at, 'levels of elements', String(inputLimits.depth)), start);
  }
  const end = tagEnd(source, start);
  if (isClosing || text[end - 1] === '/') size.open.pop();
  return end + 1;
}

// A > inside a value does not end the tag, and each value is one attribute.
function tagEnd({ text, refuse }: ReadText, start: number): number {
  const special = /[<>"']/g;
  special.lastIndex = start + 1;
  let values = 0;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const { 0: character, index } = found;
    if (character === '>') return index;
    const end = character === '<' ? -1 : text.indexOf(character, index + 1);
    if (end < 0) break;
    values++;
    if (values > inputLimits.attributes)
      refuse((at) => faults.limit(at, 'attributes on one element', String(inputLimits.attributes)), start);
    special.lastIndex = end + 1;
  }
  return refuse((at) => faults.malformed(at, 'a tag without an end.'), start);
}

const startTag = /<[A-Za-z_][\w.:-]*((?:[ \t\r\n]+[A-Za-z_][\w.:-]*="[^"<]*")*)[ \t\r\n]*\/?>/y;
const attribute = /([\w.:-]+)="[^"]*"/g;

// Whether a tag begins the root or an element within it, with no attribute twice.
function isPlainStart(text: string, start: number, { open, elements }: Size): boolean {
  startTag.lastIndex = start;
  const found = open.length > 0 || elements === 0 ? startTag.exec(text) : null;
  const names = Array.from(found?.[1]?.matchAll(attribute) ?? [], ([, name]) => name);
  return found !== null && new Set(names).size === names.length;
}

const endTag = /<\/([\w.:-]+)[ \t\r\n]*>/y;

// Whether a tag ends the element that begins at `opened`.
function isPlainEnd(text: string, start: number, opened: number | undefined): boolean {
  endTag.lastIndex = start;
  const name = endTag.exec(text)?.[1];
  return (
    opened !== undefined && name !== undefined && text.startsWith(name, opened + 1) && !/[\w.:-]/.test(text[opened + 1 + name.length] ?? '')
  );
}
