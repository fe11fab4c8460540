// A case is an edit of a model: texts after - are taken out, those after + put in; < and > edit the old model instead of the new one.

/** The lines of a paragraph that are its input; what came of it is indented. */
export function inputOf(paragraph: string): readonly string[] {
  return paragraph.split('\n').filter((line) => !line.startsWith('  '));
}

/** The old and the new model of a paragraph; with < and > the new one is the base. */
export function modelsOf(paragraph: string, base: string): { readonly old: string; readonly now: string } {
  return { old: edited(paragraph, base, '<', '>'), now: edited(paragraph, base, '-', '+') };
}

/** A model without line breaks between its elements, so that a case can name any part of it on one line. */
export function flat(text: string): string {
  return text.replace(/\n\s*/g, '');
}

function edited(paragraph: string, base: string, out: string, put: string): string {
  const texts = (mark: string): readonly string[] =>
    inputOf(paragraph)
      .filter((line) => line.startsWith(mark))
      .map((line) => line.slice(2));
  const to = texts(put);
  return texts(out).reduce((text, part, index) => {
    if (!text.includes(part)) throw new Error(`The base has no ${part}`);
    return text.replace(part, () => to[index] ?? '');
  }, base);
}
