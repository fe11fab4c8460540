/** The elements of a one-dimensional PostgreSQL array literal, `{a,"b c",NULL}`. */
export function parseArrayLiteral(text: string): readonly (string | null)[] {
  const elements: (string | null)[] = [];
  let at = 1;
  while (at < text.length - 1) {
    const quoted = text[at] === '"';
    const end = quoted ? endOfQuoted(text, at + 1) : endOfPlain(text, at);
    const element = quoted ? text.slice(at + 1, end).replace(/\\(.)/gs, '$1') : text.slice(at, end);
    elements.push(quoted || element !== 'NULL' ? element : null);
    at = end + (quoted ? 2 : 1);
  }
  return elements;
}

function endOfQuoted(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function endOfPlain(text: string, from: number): number {
  const comma = text.indexOf(',', from);
  return comma < 0 ? text.length - 1 : comma;
}
