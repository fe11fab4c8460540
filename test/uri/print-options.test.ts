import test from 'ava';
import '../support/features.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { printOptions } from '../../runtime/uri/print-options.js';

/** Options as they are printed, which may be another spelling than the one sent; undefined where it is the same. */
const cases: readonly (readonly [sent: string, printed?: string])[] = [
  ['$select=City,*'],
  ['$select=Ns.*,Address/City'],
  ["$filter=not (City eq 'O''Hara') and Media/any(m:m/Order gt 1)"],
  ['$filter=(ListPrice add 1) mul 2 gt -3.5'],
  ['$orderby=ListPrice desc,length(City)'],
  ['$orderby=City asc', '$orderby=City'],
  ['$compute=ListPrice mul 2 as Twice,Twice add 1 as More'],
  ['$search="red \\"sky\\"" OR (blue NOT train)', '$search="red \\"sky\\"" OR (blue AND NOT train)'],
  ['$expand=*/$ref,Media/$count($filter=Order gt 1;$search=a)'],
  [
    '$expand=Media($expand=Property($levels=max;$expand=Rooms($top=1;$skip=2;$count=true));$select=Order)',
    '$expand=Media($select=Order;$expand=Property($expand=Rooms($count=true;$top=1;$skip=2);$levels=max))',
  ],
  ['$expand=Media($orderby=Order desc;$compute=Order add 1 as Next)'],
  ['$apply=filter(ListPrice gt 3)/groupby((City,Member/Name),aggregate(ListPrice with sum as Total,$count as Many))'],
  ['$apply=groupby((rollup($all,Country,City),Status))'],
  ['$apply=groupby((),aggregate(ListPrice mul 2 with Custom.median as M,Forecast,Forecast as F,Media/$count as Pictures))'],
  ['$apply=concat(topcount(2,ListPrice),identity/bottomcount(50,ListPrice))/orderby(ListPrice desc)/skip(1)/top(2)'],
  ['$apply=search(red AND blue)/compute(ListPrice mul 2 as Double)'],
];

for (const [sent, printed = sent] of cases) {
  test(`printed options parse again: ${sent}`, (t) => {
    const text = print(sent);
    t.is(text, printed);
    t.is(print(text), text);
  });
}

function print(query: string): string {
  const { options } = parseQueryOptions(query.split('&').map(encode).join('&'));
  return printOptions(options)
    .map(({ name, value }) => `${name}=${value}`)
    .join('&');
}

function encode(option: string): string {
  const equals = option.indexOf('=');
  return `${option.slice(0, equals)}=${encodeURIComponent(option.slice(equals + 1))}`;
}
