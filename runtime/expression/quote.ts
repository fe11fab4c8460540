/** An excerpt of the client's text, short enough for a message. */
export function excerpt(text: string): string {
  const characters = [...text.slice(0, 100)];
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}...` : text;
}
