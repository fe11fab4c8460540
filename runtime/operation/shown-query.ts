/** A query string for the log: which options, of which form, without what was asked for by value. */
export function shownQuery(query: string): string {
  return query.split('&').map(shownOption).join('&').slice(0, 1_000);
}

/** A path for the log: keys stay, since they name the record; values within conditions go. */
export function shownPath(path: string): string {
  const decoded = decode(path);
  return (decoded.includes('$filter') ? withoutLiterals(decoded) : decoded).slice(0, 1_000);
}

const opaque: ReadonlySet<string> = new Set(['$skiptoken', '$deltatoken', '$search']);

/** How many records are asked for, which tells nothing of any. */
const counting: ReadonlySet<string> = new Set(['$top', '$skip']);

// Names without `$` and `@` are not ours; a client may well send a token there.
function shownOption(option: string): string {
  const equals = option.indexOf('=');
  if (equals < 0) return option === '' || /^(\$|%24)/.test(option) ? option : '...';
  const name = decode(option.slice(0, equals));
  if (!/^[$@]/.test(name) || opaque.has(name.toLowerCase())) return `${name}=...`;
  const value = decode(option.slice(equals + 1));
  return `${name}=${counting.has(name.toLowerCase()) && /^\d+$/.test(value) ? value : withoutLiterals(value)}`;
}

// Texts, GUIDs, and all that begins with a digit, as numbers, dates and times do; a digit within a name is none.
function withoutLiterals(text: string): string {
  return text
    .replace(/'(?:[^']|'')*(?:'|$)/g, "'...'")
    .replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '"..."')
    .replace(/(?<![\w.$@-])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|-?\d[\w.:+-]*)/gi, '...');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // What cannot be decoded is answered 400, and shown as it came.
    return text;
  }
}
