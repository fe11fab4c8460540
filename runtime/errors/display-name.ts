/** The name of a type in lower-case words: `ByMoment` is "by moment". */
export function displayName(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').toLowerCase();
}

/** A name with its indefinite article: a Book, an Author, a Unit. */
export function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) && !beginsLikeYou.test(name) ? 'an' : 'a'} ${name}`;
}

const beginsLikeYou = /^(?:eu|one|uni|us[aei]|uti)/i;
