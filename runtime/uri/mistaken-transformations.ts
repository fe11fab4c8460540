/** Transformations of other languages, in lower case, with their OData replacement. */
const transformations: ReadonlyMap<string, string> = new Map([
  ['having', 'filter(Many gt 1)'],
  ['where', `filter(City eq 'x')`],
  ['limit', 'top(10)'],
  ['take', 'top(10)'],
  ['head', 'top(10)'],
  ['first', 'top(1)'],
  ['offset', 'skip(10)'],
  ['sort', 'orderby(ListPrice desc)'],
  ['sortby', 'orderby(ListPrice desc)'],
  ['order', 'orderby(ListPrice desc)'],
  ['orderbydesc', 'orderby(ListPrice desc)'],
  ['select', 'groupby((City)), or $select behind $apply'],
  ['distinct', 'groupby((City))'],
  ['unique', 'groupby((City))'],
  ['group', 'groupby((City),aggregate($count as Many))'],
  ['rollup', 'groupby((rollup($all,City)),aggregate($count as Many))'],
  ['count', 'aggregate($count as Many)'],
  ['$count', 'aggregate($count as Many)'],
  ['sum', 'aggregate(ListPrice with sum as Total)'],
  ['min', 'aggregate(ListPrice with min as Least)'],
  ['max', 'aggregate(ListPrice with max as Most)'],
  ['avg', 'aggregate(ListPrice with average as Mean)'],
  ['mean', 'aggregate(ListPrice with average as Mean)'],
  ['nunique', 'aggregate(City with countdistinct as Cities)'],
  ['size', 'aggregate($count as Many)'],
  ['agg', 'aggregate(ListPrice with sum as Total)'],
  ['assign', 'compute(ListPrice mul 2 as Twice)'],
  ['nlargest', 'topcount(3,ListPrice)'],
  ['nsmallest', 'bottomcount(3,ListPrice)'],
  ['query', `filter(City eq 'x')`],
  ['average', 'aggregate(ListPrice with average as Mean)'],
  ['countdistinct', 'aggregate(City with countdistinct as Cities)'],
  ['summarize', 'aggregate(ListPrice with sum as Total)'],
  ['union', 'concat(filter(...),filter(...))'],
]);

/** The OData replacement of a transformation that does not exist. */
export function transformationFor(name: string): string | undefined {
  return transformations.get(name.toLowerCase());
}
