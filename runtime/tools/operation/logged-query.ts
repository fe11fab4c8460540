/** A query string for the log: options and their structure, without values. */
export function loggedQuery(query: string): string {
  return query.split('&').map(loggedOption).join('&').slice(0, 1_000);
}

/** A path for the log: keys stay, since they identify the entity; values within conditions are removed. */
export function loggedPath(path: string): string {
  const decoded = decode(path);
  return (decoded.includes('$filter') ? withoutLiterals(decoded) : decoded).slice(0, 1_000);
}

const opaque: ReadonlySet<string> = new Set(['$skiptoken', '$deltatoken', '$search']);

/** Options whose numbers reveal no data. */
const counting: ReadonlySet<string> = new Set(['$top', '$skip']);

// Names without `$` and `@` are unknown; a client may well send a token there.
function loggedOption(option: string): string {
  const equals = option.indexOf('=');
  if (equals < 0) return option === '' || /^(\$|%24)/.test(option) ? option : '...';
  const name = decode(option.slice(0, equals));
  if (!/^[$@]/.test(name) || opaque.has(name.toLowerCase())) return `${name}=...`;
  const value = decode(option.slice(equals + 1));
  return `${name}=${counting.has(name.toLowerCase()) && /^\d+$/.test(value) ? value : withoutLiterals(value)}`;
}

// Strings, GUIDs, and literals that begin with a digit, such as numbers, dates and times; a digit within a name is
// kept.
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
    // An undecodable query is answered 400, and logged as it is.
    return text;
  }
}
