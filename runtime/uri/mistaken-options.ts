/** Options of other interfaces and of older OData, in lower case, with their OData 4.01 replacement. */
const options: ReadonlyMap<string, string> = new Map([
  ['$metadata', '/$metadata after the service root'],
  ['$batch', '/$batch after the service root'],
  ['$value', '/$value at the end of the path'],
  ['$ref', '/$ref at the end of the path'],
  ['$inlinecount', '$count=true'],
  ['$where', `$filter=‹text› eq 'x'`],
  ['$query', `$filter=‹text› eq 'x', or $search=word`],
  ['$q', '$search=word'],
  ['$sort', '$orderby=‹text› desc'],
  ['$sortby', '$orderby=‹text› desc'],
  ['$order', '$orderby=‹text› desc'],
  ['$limit', '$top=10'],
  ['$take', '$top=10'],
  ['$pagesize', '$top=10, and follow @odata.nextLink'],
  ['$page', '$top=10, and follow @odata.nextLink'],
  ['$offset', '$skip=10'],
  ['$fields', '$select=‹text›,‹number›'],
  ['$columns', '$select=‹text›,‹number›'],
  ['$include', '$expand=‹related›'],
  ['$join', '$expand=‹related›'],
  ['$group', '$apply=groupby((‹text›),aggregate($count as Many))'],
  ['$groupby', '$apply=groupby((‹text›),aggregate($count as Many))'],
  ['$aggregate', '$apply=aggregate(‹number› with sum as Total)'],
  ['$having', '$filter=Many gt 1 after $apply=groupby((‹text›),aggregate($count as Many))'],
  ['$sum', '$apply=aggregate(‹number› with sum as Total)'],
  ['$avg', '$apply=aggregate(‹number› with average as Mean)'],
  ['$sample', '$top=10; there is no random selection'],
  ['$distinct', '$apply=groupby((‹text›))'],
]);

/** The replacement of an option that OData does not have, as the end of a message. */
export function optionHint(name: string): string {
  const form = options.get(name.toLowerCase());
  return form === undefined ? '' : ` Write ${form}.`;
}
