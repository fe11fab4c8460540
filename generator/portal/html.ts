import { isArray, isNumber, isObject, type Json } from '../../runtime/json/json.js';

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text of the model in HTML, also within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** Text with code in backticks, strong words in asterisks, and links, as HTML. */
export function markedHtml(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]*)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '<a href="$2">$1</a>');
}

/** JSON on several lines, with its names and values marked for colours. */
export function jsonHtml(json: Json, indent = ''): string {
  if (isNumber(json)) return mark('n', json.text);
  if (typeof json === 'string') return mark('s', JSON.stringify(json));
  const nested = (value: Json): string => jsonHtml(value, `${indent}  `);
  if (isArray(json)) return lines(json.items.map(nested), '[]', indent);
  if (!isObject(json)) return mark('n', String(json));
  const members = [...json.members].map(([name, value]) => `${mark('k', JSON.stringify(name))}: ${nested(value)}`);
  return lines(members, '{}', indent);
}

function lines(items: readonly string[], [open = '', close = '']: string, indent: string): string {
  return items.length === 0 ? open + close : `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}`;
}

function mark(kind: string, text: string): string {
  return `<i class=${kind}>${escapeHtml(text)}</i>`;
}
