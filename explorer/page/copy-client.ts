/** The options that the client's queries have; others are written for fetch. */
const known: ReadonlySet<string> = new Set(['$filter', '$select', '$orderby', '$expand', '$search', '$top', '$skip', '$count']);

type Options = readonly (readonly [name: string, value: string])[];

/** The query for `find` or `get` of our client; undefined for what its queries do not have. */
export function clientCall(path: string, options: Options): string | undefined {
  const [, name, key] = /^\/(\w+)(?:\((.+)\))?$/.exec(decodeURIComponent(path)) ?? [];
  const query = clientQuery(options, '');
  if (name === undefined || query === undefined) return undefined;
  if (key === undefined) return `for await (const record of api.${name}.find(${query})) console.log(record);`;
  if (key.includes('=')) return undefined;
  const [, text = key] = /^[\w.]*'(.*)'$/s.exec(key) ?? [];
  const literal = /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(key) ? key : JSON.stringify(text.replaceAll("''", "'"));
  return `console.log(await api.${name}.get(${literal}${query && `, ${query}`}));`;
}

function clientQuery(options: Options, indent: string): string | undefined {
  const inner = `${indent}  `;
  const members = options.map(([name, value]) => member(name, value, inner));
  if (members.includes(undefined)) return undefined;
  return members.length === 0 ? '' : `{\n${members.map((text) => `${inner}${text},\n`).join('')}${indent}}`;
}

function member(option: string, value: string, indent: string): string | undefined {
  const name = option.slice(1);
  switch (known.has(option) ? option : undefined) {
    case undefined:
      return undefined;
    case '$filter':
      return `filter: filter\`${value.replace(/[\\`$]/g, '\\$&')}\``;
    case '$expand':
      return expansion(value, indent);
    case '$select':
      return /[(*/]/.test(value) ? undefined : `select: [${value.split(',').map(quoted).join(', ')}]`;
    case '$orderby':
      return `orderby: [${splitAt(value, ',').map(quoted).join(', ')}]`;
    case '$search':
      return `search: ${quoted(value)}`;
    default:
      return `${name}: ${value}`;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.trim());
}

function expansion(value: string, indent: string): string | undefined {
  const inner = `${indent}  `;
  const items = splitAt(value, ',').map((item) => {
    const [, name = '', options] = /^(\w+)(?:\((.*)\))?$/s.exec(item.trim()) ?? [];
    const query = options === undefined ? 'true' : clientQuery(splitAt(options, ';').map(split), inner);
    return name === '' || query === undefined ? undefined : `${inner}${name}: ${query},\n`;
  });
  return items.includes(undefined) ? undefined : `expand: {\n${items.join('')}${indent}}`;
}

function split(option: string): readonly [string, string] {
  const at = option.indexOf('=');
  return [option.slice(0, at), option.slice(at + 1)];
}

// At the outermost level only: not within parentheses or quotes.
function splitAt(text: string, separator: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const [part] of text.matchAll(/'(?:[^']|'')*'|[^']/gs)) {
    if (part === '(') depth++;
    if (part === ')') depth--;
    if (part === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += part;
  }
  return parts;
}
