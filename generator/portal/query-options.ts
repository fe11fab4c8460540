import { exampleFor, namesOf } from './sample-site.js';
import type { Site } from './site.js';

// oxfmt-ignore
const rows: readonly { readonly name: string; readonly does: string; readonly example: string }[] = [
  { name: '$filter', does: 'only records that meet a condition', example: "‹text› eq 'x' and ‹number› gt 1" },
  { name: '$select', does: 'only these properties', example: '‹text›,‹number›' },
  { name: '$orderby', does: 'the order; the key decides between equal records', example: '‹number› desc,‹text›' },
  { name: '$expand', does: 'related records within their record, with options in parentheses', example: '‹related›($select=‹relatedText›;$top=5)' },
  { name: '$top', does: 'the number of records', example: '10' },
  { name: '$skip', does: 'leaves out the first records', example: '20' },
  { name: '$count', does: 'the number of all records that meet the condition, as `@odata.count`', example: 'true' },
  { name: '$search', does: 'records with these words, in the sets that support it', example: 'garden AND NOT pool' },
  { name: '$compute', does: 'additional properties, computed by an expression', example: '‹number› mul 2 as Doubled' },
  { name: '$apply', does: 'groups, sums, averages and counts in place of records', example: 'groupby((‹text›),aggregate($count as Count))' },
  { name: '$format', does: 'the format of the answer, for addresses typed into a browser', example: 'json' },
];

/** The query options, with examples of the model. */
export function queryOptions(site: Site) {
  const names = namesOf(site);
  const isSearched = site.graph.entities.some(({ fields }) => fields.some(({ field }) => field.searchable));
  return rows
    .filter(({ name }) => name !== '$search' || isSearched)
    .map(({ name, does, example }) => ({ name, does, ...withName(name, exampleFor(example, names)) }));
}

function withName(name: string, { example, isReal }: ReturnType<typeof exampleFor>): ReturnType<typeof exampleFor> {
  return { example: `${name}=${example}`, isReal };
}
