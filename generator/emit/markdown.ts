/** Text of the model in a cell of a Markdown table, with markup and line breaks escaped. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|{}]/g, (character) => entities[character] ?? `\\${character}`);
}

// A backslash would not escape < and > in every renderer, nor a pipe inside code.
const entities: { readonly [character: string]: string } = { '<': '&lt;', '>': '&gt;', '|': '&#124;' };

/** Text of the model as code. */
export function code(text: string): string {
  return /[`|<>\n]/.test(text) ? plain(text) : `\`${text}\``;
}

/** Text with code in backticks, which is formatted as code. */
export function marked(text: string): string {
  return text.replace(/`([^`]*)`/g, (_, inner: string) => code(inner));
}
