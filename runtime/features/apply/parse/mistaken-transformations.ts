/** Transformations of other languages, in lower case, with their OData replacement. */
const transformations: ReadonlyMap<string, string> = new Map([
  ['having', 'filter(Many gt 1)'],
  ['where', `filter(‹text› eq 'x')`],
  ['limit', 'top(10)'],
  ['take', 'top(10)'],
  ['head', 'top(10)'],
  ['first', 'top(1)'],
  ['offset', 'skip(10)'],
  ['sort', 'orderby(‹number› desc)'],
  ['sortby', 'orderby(‹number› desc)'],
  ['order', 'orderby(‹number› desc)'],
  ['orderbydesc', 'orderby(‹number› desc)'],
  ['select', 'groupby((‹text›)), or $select after $apply'],
  ['distinct', 'groupby((‹text›))'],
  ['unique', 'groupby((‹text›))'],
  ['group', 'groupby((‹text›),aggregate($count as Many))'],
  ['rollup', 'groupby((rollup($all,‹text›)),aggregate($count as Many))'],
  ['count', 'aggregate($count as Many)'],
  ['$count', 'aggregate($count as Many)'],
  ['sum', 'aggregate(‹number› with sum as Total)'],
  ['min', 'aggregate(‹number› with min as Least)'],
  ['max', 'aggregate(‹number› with max as Most)'],
  ['avg', 'aggregate(‹number› with average as Mean)'],
  ['mean', 'aggregate(‹number› with average as Mean)'],
  ['nunique', 'aggregate(‹text› with countdistinct as Different)'],
  ['size', 'aggregate($count as Many)'],
  ['agg', 'aggregate(‹number› with sum as Total)'],
  ['assign', 'compute(‹number› mul 2 as Twice)'],
  ['nlargest', 'topcount(3,‹number›)'],
  ['nsmallest', 'bottomcount(3,‹number›)'],
  ['query', `filter(‹text› eq 'x')`],
  ['average', 'aggregate(‹number› with average as Mean)'],
  ['countdistinct', 'aggregate(‹text› with countdistinct as Different)'],
  ['summarize', 'aggregate(‹number› with sum as Total)'],
  ['union', 'concat(filter(...),filter(...))'],
]);

/** The OData replacement of a transformation that does not exist. */
export function transformationFor(name: string): string | undefined {
  return transformations.get(name.toLowerCase());
}
