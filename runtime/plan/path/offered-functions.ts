import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { CommonExpr } from '../../expression/ast.js';
import { isMethod, methods } from '../../expression/methods.js';
import { printExpr } from '../../expression/print.js';
import type { Scope } from '../scope.js';
import { grouped } from '../../edm/grouped.js';

/** Functions that are no rows of the table, since a type or conditions are among their arguments. */
const ownForms: readonly string[] = ['cast', 'isof', 'case', 'isdefined'];

/** Refuses a function that is unknown or not among those of the model. */
export function requireOffered(name: string, scope: Scope, given: readonly CommonExpr[] = []): void {
  if (!ownForms.includes(name) && !overloadsOf.has(name)) {
    throw errors
      .unknownName(`function ${name}`, 'OData', functionHint(name, given) || suggestion(name, [...overloadsOf.keys(), ...ownForms]))
      .at(name);
  }
  // An order by the clock is another one on every page, and its links would never end.
  if (name === 'now' && scope.option === '$orderby')
    throw errors.typeMismatch('now() cannot be used in $orderby: its value changes from page to page.').at(scope.option);
  const offered = scope.container.filterFunctions;
  if (offered !== undefined && !offered.includes(name))
    throw errors
      .notImplemented(
        `The function ${name}, which the model does not list in Capabilities.FilterFunctions,`,
        `It offers ${offered.join(', ')}.`,
      )
      .at(scope.option);
}

/** The overloads of each function, by its name. */
export const overloadsOf = grouped(methods, ({ name }) => name);

/** The OData replacement of an unknown function, as the end of a message, with the given arguments. */
function functionHint(name: string, given: readonly CommonExpr[]): string {
  const lower = name.toLowerCase();
  // Of a value before a dot, as in City.contains('x').
  const form =
    functions.get(lower) ??
    (isMethod(lower.replace(/^.*\./, '')) ? `${lower.replace(/^.*\./, '')}(‹text›,...), the value first` : undefined);
  if (form === undefined && lower.includes('.')) return ` The parameters of a model function have names: write ${name}(Name=...).`;
  return form === undefined ? '' : ` Write ${withGiven(form, given)}.`;
}

/** Functions of other languages and of older OData, in lower case, with their replacement. */
const functions: ReadonlyMap<string, string> = new Map([
  ['substringof', `contains(‹text›,'a'), the text first`],
  ['isnull', '‹text› eq null'],
  ['coalesce', 'case(‹text› ne null:‹text›,true:‹other›)'],
  ['if', 'case(‹number› gt 1:2,true:3)'],
  ['iif', 'case(‹number› gt 1:2,true:3)'],
  ['len', 'length(‹text›)'],
  ['substr', 'substring(‹text›,0,3), which counts from 0'],
  ['mid', 'substring(‹text›,0,3), which counts from 0'],
  ['left', 'substring(‹text›,0,3)'],
  ['right', 'substring(‹text›,length(‹text›) sub 3)'],
  ['strlen', 'length(‹text›)'],
  ['char_length', 'length(‹text›)'],
  ['ltrim', 'trim(‹text›)'],
  ['rtrim', 'trim(‹text›)'],
  ['strip', 'trim(‹text›)'],
  ['isna', '‹text› eq null'],
  ['isnan', '‹text› eq null'],
  ['isin', `‹text› in ('x','y')`],
  ['date_trunc', 'date(‹time›)'],
  ['extract', 'year(‹date›)'],
  ['datepart', 'year(‹date›)'],
  ['to_date', 'cast(‹text›,Edm.Date)'],
  ['str', 'cast(‹number›,Edm.String)'],
  ['int', 'cast(‹text›,Edm.Int32)'],
  ['float', 'cast(‹text›,Edm.Double)'],
  ['size', '‹related›/$count, or length(‹items›)'],
  ['power', 'a product, ‹number› mul ‹number›'],
  ['pow', 'a product, ‹number› mul ‹number›'],
  ['sqrt', 'a comparison of squares, ‹number› mul ‹number› lt 9'],
  ['nullif', "case(‹text› ne '':‹text›)"],
  ['concat_ws', `concat(concat(‹text›,', '),‹other›)`],
  ['replace', `contains(‹text›,'x'); texts are not changed in a request`],
  ['lower', 'tolower(‹text›)'],
  ['upper', 'toupper(‹text›)'],
  ['lcase', 'tolower(‹text›)'],
  ['ucase', 'toupper(‹text›)'],
  ['like', `contains(‹text›,'x')`],
  ['abs', 'case(‹number› lt 0:-‹number›,true:‹number›)'],
  ['ceil', 'ceiling(‹number›)'],
  ['trunc', 'cast(‹number›,Edm.Int64)'],
  ['convert', 'cast(‹number›,Edm.String)'],
  ['getdate', 'now()'],
  ['today', 'date(now())'],
  ['regex', `matchespattern(‹text›,'^A')`],
  ['regexp_like', `matchespattern(‹text›,'^A')`],
  ['count', '‹related›/$count'],
  ['desc', '‹number› desc'],
  ['asc', '‹number›'],
  ['ifnull', 'case(‹text› ne null:‹text›,true:‹other›)'],
  ['nvl', 'case(‹text› ne null:‹text›,true:‹other›)'],
  ['quarter', '(month(‹date›) add 2) div 3'],
  ['datediff', `totalseconds(‹date› sub 2024-01-01) div 86400`],
  ['dateadd', `‹date› add duration'P30D'`],
  ['exists', '‹related›/any()'],
  ['notnull', '‹text› ne null'],
  ['between', '‹number› ge 1 and ‹number› le 9'],
  ['distance', `geo.distance(‹position›,geography'POINT(1 2)')`],
]);

/** The placeholders of examples for the first argument, the second, and a text. */
const placeholders = /(‹(?:text|number|date|time|position|items)›|‹related›(?=\/\$|\/any))|(‹other›)|'[ax]'/g;

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
