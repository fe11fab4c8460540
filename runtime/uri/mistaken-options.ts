/** Options of other interfaces and of older OData, in lower case, with their OData 4.01 replacement. */
const options: ReadonlyMap<string, string> = new Map([
  ['$metadata', '/$metadata behind the service root'],
  ['$batch', '/$batch behind the service root'],
  ['$value', '/$value at the end of the path'],
  ['$ref', '/$ref at the end of the path'],
  ['$inlinecount', '$count=true'],
  ['$where', `$filter=City eq 'x'`],
  ['$query', `$filter=City eq 'x', or $search=word`],
  ['$q', '$search=word'],
  ['$sort', '$orderby=City desc'],
  ['$sortby', '$orderby=City desc'],
  ['$order', '$orderby=City desc'],
  ['$limit', '$top=10'],
  ['$take', '$top=10'],
  ['$pagesize', '$top=10, and follow @odata.nextLink'],
  ['$page', '$top=10, and follow @odata.nextLink'],
  ['$offset', '$skip=10'],
  ['$fields', '$select=City,ListPrice'],
  ['$columns', '$select=City,ListPrice'],
  ['$include', '$expand=Media'],
  ['$join', '$expand=Media'],
  ['$group', '$apply=groupby((City),aggregate($count as Many))'],
  ['$groupby', '$apply=groupby((City),aggregate($count as Many))'],
  ['$aggregate', '$apply=aggregate(ListPrice with sum as Total)'],
  ['$having', '$filter=Many gt 1 behind $apply=groupby((City),aggregate($count as Many))'],
  ['$sum', '$apply=aggregate(ListPrice with sum as Total)'],
  ['$avg', '$apply=aggregate(ListPrice with average as Mean)'],
  ['$sample', '$top=10; records are not drawn by chance'],
  ['$distinct', '$apply=groupby((City))'],
]);

/** The replacement of an option that OData does not have, as the end of a message. */
export function optionHint(name: string): string {
  const form = options.get(name.toLowerCase());
  return form === undefined ? '' : ` Write ${form}.`;
}
