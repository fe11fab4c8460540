import type { ODataError } from '../errors/odata-error.js';
import { excerpt, nearestOf } from '../errors/suggest.js';
import { ahead, current, isSymbol, opensCall, syntaxError, type Cursor } from './cursor.js';
import { exampleOf, operatorNamed, precedences } from './operators.js';
import { isMethod } from './methods.js';
import { operandBefore, pairAdvice } from './advice.js';
import type { Token } from './token.js';

// oxfmt-ignore
/** Operators of other languages, with their OData replacement. */
const foreignOperators: ReadonlyMap<string, string> = new Map([
  ['=', 'eq'], ['==', 'eq'], ['!=', 'ne'], ['<>', 'ne'], ['<', 'lt'], ['<=', 'le'], ['>', 'gt'], ['>=', 'ge'],
  ['&&', 'and'], ['&', 'and'], ['||', 'or'], ['|', 'or'], ['!', 'not'],
  ['+', 'add'], ['-', 'sub'], ['*', 'mul'], ['%', 'mod'],
]);

// oxfmt-ignore
/** Words of other languages between two operands, with their OData replacement. */
const foreignWords: ReadonlyMap<string, string> = new Map([
  ['is', `write eq null or ne null`],
  ['like', `write contains(‹text›,'x'), startswith(‹text›,'x') or endswith(‹text›,'x')`],
  ['ilike', `write contains(tolower(‹text›),'x')`],
  ['between', 'write ‹number› ge 1 and ‹number› le 9'],
  ['not', `not precedes a condition: write ne, or not (‹text› in ('x','y'))`],
  ['equals', 'write eq'], ['equal', 'write eq'], ['neq', 'write ne'], ['gte', 'write ge'], ['lte', 'write le'],
  ...['sum', 'min', 'max', 'average', 'avg', 'countdistinct'].map((method) => [method, `a method follows with, write ‹number› with ${method === 'avg' ? 'average' : method} as Name`] as const),
  ['with', 'values are aggregated within aggregate, write groupby((‹text›),aggregate(‹number› with sum as Total))'],
  ['as', 'a value gets a name in $compute and within aggregate, write $compute=‹number› mul 2 as Double'],
  ['nulls', 'null is the lowest value; to have it last write $orderby=‹number› eq null,‹number›'],
  ['asc', 'asc belongs to $orderby'], ['desc', 'desc belongs to $orderby'],
  ['plus', 'write add'], ['minus', 'write sub'], ['times', 'write mul'], ['xor', 'write ne between two conditions'],
]);

const ranked = 'topcount starts with the highest value, bottomcount with the lowest; a direction belongs to orderby(...)';

/** The words that have another replacement within $apply. */
const applyWords: ReadonlyMap<string, string> = new Map([
  ['as', 'a grouping property keeps its name; rename it before: write compute(‹text› as Town)/groupby((Town))'],
  ['asc', ranked],
  ['desc', ranked],
]);

const doubleQuotes = `strings are written in single quotes, write 'text', and names without quotes`;
const straightQuotes = `strings are written in straight single quotes, write 'text'`;
const quoteAdvice: ReadonlyMap<string, string> = new Map([
  ['"', doubleQuotes],
  ...['“', '”', '‘', '’', '`'].map((quote) => [quote, straightQuotes] as const),
]);

/** The error for a token that begins no operand. */
export function operandError(cursor: Cursor): ODataError {
  const token = current(cursor);
  return syntaxError(cursor, token.at, operandAdvice(cursor, token));
}

/** The error for a token that cannot continue the expression. */
export function operatorError(cursor: Cursor): ODataError {
  const token = current(cursor);
  return syntaxError(cursor, token.at, operatorAdvice(cursor, token));
}

/** Whether the name of an operator must be an operator here, because nothing that follows a property follows it. */
export function isMisplacedOperator(cursor: Cursor): boolean {
  const next = ahead(cursor, 1);
  if (next.kind === 'literal' || next.kind === 'enum' || isSymbol(next, '(')) return true;
  return next.kind === 'word' && operatorNamed(next.name) === undefined && !followsValue(cursor, next);
}

/** Whether a word follows a complete value: a direction, or an alias in `$compute` and `$apply`. */
export function followsValue({ source: { option } }: Cursor, { name }: Extract<Token, { kind: 'word' }>): boolean {
  return /^(asc|desc)$/i.test(name) || ((option === '$compute' || option === '$apply') && /^(as|with)$/i.test(name));
}

/** The name of a token in a message. */
export function describeToken(cursor: Cursor, token: Token): string {
  if (token.kind === 'symbol') return `'${token.symbol}'`;
  return token.kind === 'end' ? 'the end' : excerpt(cursor.source.text.slice(token.at, token.end));
}

function operandAdvice(cursor: Cursor, token: Token): string {
  const before = cursor.index === 0 ? undefined : cursor.lexer.tokens[cursor.index - 1];
  const after = before === undefined ? '' : ` after ${describeToken(cursor, before)}`;
  const example = before?.kind === 'word' ? exampleOf(before.name) : '';
  if (token.kind === 'word') return `a property or value is missing before ${token.name}${exampleOf(token.name)}`;
  if (token.kind === 'json') return doubleQuotes;
  if (token.kind !== 'symbol')
    return before === undefined
      ? `an expression is missing${cursor.source.option === '$orderby' ? ', write for example ‹text› desc' : exampleOf('eq')}`
      : `a property or value is missing${after}${example}`;
  const quotes = quoteAdvice.get(token.symbol);
  if (quotes !== undefined) return quotes;
  if (token.symbol === '/') return 'a path starts with a name, not with /';
  if (token.symbol === '.') return 'a number starts with a digit, write 0.5';
  if (token.symbol === '*') return '* has no meaning in an expression; a product is written ‹number› mul 2';
  if (token.symbol === '\\')
    return `a backslash does not escape: a string is written in single quotes, and a quote in it is doubled, write 'O''Neil'`;
  if (token.symbol === '+' && cursor.source.option === '$orderby')
    return 'a value sorts ascending without a sign, write ‹text›, and ‹text› desc the other way';
  if (token.symbol === '!') return 'the operator is not, write not (...)';
  return `a property or value is missing${after} before ${describeToken(cursor, token)}${example}`;
}

function operatorAdvice(cursor: Cursor, token: Token): string {
  const { option, text } = cursor.source;
  // ABNF rule parameterValue: a list in parentheses only follows in.
  if (option.startsWith('@') && text.startsWith('(') && isSymbol(token, ','))
    return `the list of a parameter alias is a JSON array, write ${excerpt(`[${text.replace(/^\(|\)$/g, '')}]`)}`;
  const advice = pairAdvice(cursor.lexer.tokens[cursor.index - 1], token, text);
  if (advice !== undefined) return advice;
  switch (token.kind) {
    case 'word':
      return wordAdvice(cursor, token);
    case 'symbol':
      return symbolAdvice(token.symbol);
    case 'literal':
    case 'enum':
    case 'json':
      return literalAdvice(describeToken(cursor, token));
    default:
      return 'a closing parenthesis is missing; write ) there';
  }
}

function wordAdvice(cursor: Cursor, { name }: Extract<Token, { kind: 'word' }>): string {
  const foreign =
    (cursor.source.option === '$apply' ? applyWords.get(name.toLowerCase()) : undefined) ??
    foreignAdvice(cursor, name.toLowerCase()) ??
    lambdaAdvice(cursor, name) ??
    methodAdvice(cursor, name.toLowerCase()) ??
    aliasAdvice(cursor, name);
  if (foreign !== undefined) return `'${excerpt(name)}' is not an operator; ${foreign}`;
  const nearest = nearestOf(
    name,
    ahead(cursor, 1).kind === 'literal' && isNumber(cursor, ahead(cursor, 1))
      ? [...arithmetic, ...Object.keys(precedences)]
      : Object.keys(precedences),
  );
  const hint =
    nearest === undefined ? 'write eq or another one between values, "and" or "or" between conditions' : `perhaps ${nearest} is meant`;
  return `'${excerpt(name)}' is not an operator, ${hint}`;
}

/** Words whose advice is about the value before them. */
const ofOneValue = /^(?:i?like|between|not|nulls|sum|min|max|average|avg|countdistinct)$/;

// The names and texts of the request replace those of the examples.
function foreignAdvice(cursor: Cursor, word: string): string | undefined {
  const advice = foreignWords.get(word);
  const operand = ofOneValue.test(word) ? operandBefore(cursor) : undefined;
  if (advice === undefined || operand === undefined) return advice;
  const named = advice.replaceAll(/‹(?:text|number)›/g, () => excerpt(operand));
  const next = ahead(cursor, 1);
  const pattern = next.kind === 'literal' && next.type === 'Edm.String' ? next.value.replace(/^%|%$/g, '') : undefined;
  return pattern === undefined || !word.endsWith('like')
    ? named
    : named.replaceAll(`'x'`, () => `'${excerpt(pattern.replaceAll("'", "''"))}'`);
}

// A lambda is a segment of a path.
function lambdaAdvice(cursor: Cursor, name: string): string | undefined {
  return /^(?:any|all)$/i.test(name) && opensCall(ahead(cursor, 1))
    ? `a slash must precede it, write ‹items›/${name.toLowerCase()}(x:x eq 'value')`
    : undefined;
}

/** The operators that a misspelt word next to a number is compared with. */
const arithmetic = ['add', 'sub', 'mul', 'div', 'mod', 'divby'] as const;

// A function written between its parameters, as in `City contains 'x'`.
function methodAdvice(cursor: Cursor, name: string): string | undefined {
  const before = cursor.lexer.tokens[cursor.index - 1];
  if (!isMethod(name) || before === undefined) return undefined;
  const next = ahead(cursor, 1);
  const second = next.kind === 'literal' || next.kind === 'word' ? describeToken(cursor, next) : `'x'`;
  return `${name} is a function: write ${name}(${describeToken(cursor, before)},${second})`;
}

// The last word of an item of $compute is its alias.
function aliasAdvice(cursor: Cursor, name: string): string | undefined {
  const next = ahead(cursor, 1);
  if (cursor.source.option !== '$compute' || (next.kind !== 'end' && !isSymbol(next, ','))) return undefined;
  return `as is missing before the name of the value, write ‹number› mul 2 as ${excerpt(name)}`;
}

function isNumber({ source }: Cursor, token: Token): boolean {
  return /^[-+.\d]/.test(source.text.slice(token.at, token.end));
}

function symbolAdvice(symbol: string): string {
  const foreign = foreignOperators.get(symbol);
  if (foreign !== undefined) return `'${symbol}' is not an operator, write ${foreign} with a space on each side`;
  const quotes = quoteAdvice.get(symbol);
  if (quotes !== undefined) return quotes;
  if (symbol === '^') return 'a power is a product, write ‹number› mul ‹number›';
  if (symbol === ')') return 'this closing parenthesis has no opening one; remove it, or write ( where it starts';
  if (symbol === '(')
    return 'an operator is missing before the parenthesis; the parenthesis of a function follows its name without a space';
  if (symbol === '/') return 'only a name can be followed by /, as in ‹reference›/‹referenceText›';
  return `an operator such as eq or and is expected, not '${symbol}'`;
}

function literalAdvice(shown: string): string {
  if (/^-[\dI]/.test(shown)) return `an operator is missing before ${shown}, write sub ${shown.slice(1)}`;
  if (shown.startsWith('+')) return `an operator is missing before ${shown}, write add ${shown.slice(1)}`;
  if (/^\d/.test(shown))
    return `an operator such as eq is missing before ${shown}, or a comma in a list; + means a space in a URL, so a sum is written add`;
  return `an operator such as eq is missing before ${shown}, or a comma in a list`;
}
