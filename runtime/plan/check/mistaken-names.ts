import type { CommonExpr } from '../../expression/ast.js';
import { isMethod } from '../../expression/methods.js';
import { printExpr } from '../../expression/print.js';

/** Functions of other languages and of older OData, in lower case, and what is written now. */
const functions: ReadonlyMap<string, string> = new Map([
  ['substringof', `contains(City,'a'), the text first`],
  ['isnull', 'City eq null'],
  ['coalesce', 'case(City ne null:City,true:PostalCode)'],
  ['if', 'case(ListPrice gt 1:2,true:3)'],
  ['iif', 'case(ListPrice gt 1:2,true:3)'],
  ['len', 'length(City)'],
  ['substr', 'substring(City,0,3), which counts from 0'],
  ['mid', 'substring(City,0,3), which counts from 0'],
  ['left', 'substring(City,0,3)'],
  ['right', 'substring(City,length(City) sub 3)'],
  ['strlen', 'length(City)'],
  ['char_length', 'length(City)'],
  ['ltrim', 'trim(City)'],
  ['rtrim', 'trim(City)'],
  ['strip', 'trim(City)'],
  ['isna', 'City eq null'],
  ['isnan', 'City eq null'],
  ['isin', `City in ('x','y')`],
  ['date_trunc', 'date(ModificationTimestamp)'],
  ['extract', 'year(CloseDate)'],
  ['datepart', 'year(CloseDate)'],
  ['to_date', 'cast(City,Edm.Date)'],
  ['str', 'cast(TaxYear,Edm.String)'],
  ['int', 'cast(City,Edm.Int32)'],
  ['float', 'cast(City,Edm.Double)'],
  ['size', 'Media/$count, or length(Heating)'],
  ['power', 'a product, ListPrice mul ListPrice'],
  ['pow', 'a product, ListPrice mul ListPrice'],
  ['sqrt', 'a comparison of squares, ListPrice mul ListPrice lt 9'],
  ['nullif', "case(City ne '':City)"],
  ['concat_ws', `concat(concat(City,', '),PostalCode)`],
  ['replace', `contains(City,'x'); texts are not changed in a request`],
  ['lower', 'tolower(City)'],
  ['upper', 'toupper(City)'],
  ['lcase', 'tolower(City)'],
  ['ucase', 'toupper(City)'],
  ['like', `contains(City,'x')`],
  ['abs', 'case(Latitude lt 0:-Latitude,true:Latitude)'],
  ['ceil', 'ceiling(ListPrice)'],
  ['trunc', 'cast(ListPrice,Edm.Int64)'],
  ['convert', 'cast(TaxYear,Edm.String)'],
  ['getdate', 'now()'],
  ['today', 'date(now())'],
  ['regex', `matchespattern(City,'^A')`],
  ['regexp_like', `matchespattern(City,'^A')`],
  ['count', 'Media/$count'],
  ['desc', 'ListPrice desc'],
  ['asc', 'ListPrice'],
  ['ifnull', 'case(City ne null:City,true:PostalCode)'],
  ['nvl', 'case(City ne null:City,true:PostalCode)'],
  ['quarter', '(month(CloseDate) add 2) div 3'],
  ['datediff', `totalseconds(CloseDate sub 2024-01-01) div 86400`],
  ['dateadd', `CloseDate add duration'P30D'`],
  ['exists', 'Media/any()'],
  ['notnull', 'City ne null'],
  ['between', 'ListPrice ge 1 and ListPrice le 9'],
  ['sum', 'Media/aggregate(Order with sum)'],
  ['min', 'Media/aggregate(Order with min)'],
  ['max', 'Media/aggregate(Order with max)'],
  ['avg', 'Media/aggregate(Order with average)'],
  ['average', 'Media/aggregate(Order with average)'],
  ['distance', `geo.distance(GeoLocation,geography'POINT(1 2)')`],
]);

/** What stands for a function that OData does not have, as the end of a message, with the names and texts that it was given. */
export function functionHint(name: string, given: readonly CommonExpr[]): string {
  const lower = name.toLowerCase();
  // Of a value before a dot, as in City.contains('x').
  const form =
    functions.get(lower) ?? (isMethod(lower.replace(/^.*\./, '')) ? `${lower.replace(/^.*\./, '')}(City,...), the value first` : undefined);
  if (form === undefined && lower.includes('.')) return ` The parameters of a function of the model have names: write ${name}(Name=...).`;
  return form === undefined ? '' : ` Write ${withGiven(form, given)}.`;
}

/** What stands in the examples for the first value that a function is given, for the second, and for a text. */
const placeholders =
  /\b(City|ListPrice|CloseDate|ModificationTimestamp|TaxYear|Latitude|GeoLocation|Heating|Media(?=\/\$|\/any))\b|\b(PostalCode)\b|'[ax]'/g;

function withGiven(form: string, given: readonly CommonExpr[]): string {
  const [value, other] = given.filter(({ kind }) => kind === 'member' || kind === 'methodCall').map(printExpr);
  const literal = given.find((one) => one.kind === 'literal' && one.type === 'Edm.String');
  if (value === undefined) return form;
  const text = literal && printExpr(literal);
  return form.replace(placeholders, (example, isFirst?: string, isSecond?: string) => {
    if (isFirst !== undefined) return value;
    return (isSecond === undefined ? text : (other ?? text)) ?? example;
  });
}
