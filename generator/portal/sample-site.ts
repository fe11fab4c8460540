import { type SampleNames, sampleNames, withNames } from '../../runtime/errors/sample-names.js';
import { displayNumber, displayText } from '../emit/example-values.js';
import { sampleModel } from '../emit/sample-model.js';
import type { Site } from './site.js';

/** The set that examples are about, and the names of its properties. */
export function namesOf(site: Site): Partial<SampleNames> {
  const set = richest(site);
  if (set === undefined) return {};
  const [text, number] = [displayText(set.entity), displayNumber(set.entity)];
  return {
    ...sampleNames(sampleModel(site.graph), `/${set.view.set}`),
    ...(text && { text: text.name }),
    ...(number && { number: number.name }),
  };
}

/** The set with the most fields, which has a field for most examples. */
export function richest({ sets }: Site): Site['sets'][number] | undefined {
  return sets
    .filter(({ entity }) => entity.entitySet !== undefined && entity.hierarchy.setType === undefined)
    .filter(({ view }) => view.fields.length > 0)
    .toSorted((one, other) => other.view.fields.length - one.view.fields.length)[0];
}

/** An example with names of the model in place of its marks; whether the model has all of them. */
export function exampleFor(example: string, names: Partial<SampleNames>): { readonly example: string; readonly isReal: boolean } {
  const marks = [...example.matchAll(/‹(\w+)›/g)].map(([, mark]) => mark as keyof SampleNames);
  return { example: withNames(example, () => names), isReal: marks.every((mark) => names[mark] !== undefined) };
}
