/** Text of the model in a cell of a Markdown table: no markup of its own, no line break. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|{}]/g, (character) => entities[character] ?? `\\${character}`);
}

// A backslash would not hold < and > in every renderer, nor a pipe inside code.
const entities: { readonly [character: string]: string } = { '<': '&lt;', '>': '&gt;', '|': '&#124;' };

/** The same as code. */
export function code(text: string): string {
  return /[`|<>\n]/.test(text) ? plain(text) : `\`${text}\``;
}
