import { openLexer, tokenAt } from '../../runtime/expression/lexer.js';
import { methods } from '../../runtime/expression/methods.js';
import { operatorNamed } from '../../runtime/expression/operators.js';
import type { Token } from '../../runtime/expression/token.js';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { follow, type Reached } from './reach.js';

/** The option, or the parentheses within one, that enclose the cursor. */
export interface Frame {
  readonly kind: 'option' | 'inner' | 'call' | 'lambda' | 'list' | 'group';
  /** The option that the text belongs to; of an item's parentheses it is empty before the equals sign. */
  readonly option: string;
  /** Where paths begin. */
  readonly start: Reached | undefined;
  readonly variables: ReadonlyMap<string, Reached>;
  /** The word before the parenthesis, in lower case. */
  readonly callee: string;
  /** The operand that is compared with the list. */
  readonly left?: Reached | undefined;
  /** The index of the first token within. */
  readonly first: number;
  /** The number of separators before the cursor. */
  readonly argument: number;
}

/** The text before the cursor: its tokens, what encloses the cursor, and the word that is being written. */
export interface Before {
  readonly tokens: readonly Token[];
  readonly frame: Frame;
  readonly partial: string;
  /** The names of the path that the word continues. */
  readonly path: readonly string[];
  /** The number of tokens before that path. */
  readonly end: number;
}

/** Reads an option up to the cursor. */
export function scanBefore(option: string, text: string, start: Reached | undefined, tables: ShownTables): Before {
  const partial = partialOf(text);
  const tokens = tokensOf(text.slice(0, text.length - partial.length), option);
  const frame = frameOf(tokens, option, start, tables);
  const { path, end } = pathBefore(tokens, partial, frame.first);
  return { tokens, frame, partial, path, end };
}

// An open text in quotes, or the end of a name or number.
function partialOf(text: string): string {
  const quotes = text.split("'").length - 1;
  if (quotes % 2 === 1) return text.slice(text.lastIndexOf("'", text.replace(/''$/, '').length));
  return /[\p{L}\p{Nl}_$@][\p{L}\p{Nl}\p{N}\p{M}_.]*$/u.exec(text)?.[0] ?? '';
}

function tokensOf(text: string, option: string): readonly Token[] {
  const lexer = openLexer({ text, option });
  for (let index = 0; ; index++) {
    const token = tokenAt(lexer, index);
    if (token.kind === 'end' || token.kind === 'fault') return lexer.tokens.slice(0, index);
  }
}

function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.symbol === symbol;
}

function frameOf(tokens: readonly Token[], option: string, start: Reached | undefined, tables: ShownTables): Frame {
  const root: Frame = { kind: 'option', option, start, variables: new Map(), callee: '', first: 0, argument: 0 };
  const stack: Frame[] = [root];
  for (const [index, token] of tokens.entries()) {
    const frame = stack.at(-1) ?? root;
    if (isSymbol(token, '(')) stack.push(opened(tokens, index, frame, tables));
    else if (isSymbol(token, ')') && stack.length > 1) stack.pop();
    else stack[stack.length - 1] = within(frame, tokens, index);
  }
  return stack.at(-1) ?? root;
}

// A separator, the variable of a lambda, or the name of an inner option changes the frame.
function within(frame: Frame, tokens: readonly Token[], index: number): Frame {
  const [token, before] = [tokens[index], tokens[index - 1]];
  if (isSymbol(token, ',')) return { ...frame, argument: frame.argument + 1, ...(frame.kind !== 'list' && { first: index + 1 }) };
  if (isSymbol(token, ';')) return { ...frame, option: '', first: index + 1 };
  if (isSymbol(token, '=') && before?.kind === 'word') return { ...frame, option: before.name, first: index + 1 };
  if (isSymbol(token, ':') && frame.kind === 'lambda' && before?.kind === 'word' && frame.variables.get(before.name) === undefined)
    return { ...frame, variables: new Map(frame.variables).set(before.name, single(frame.left)), first: index + 1 };
  if (isSymbol(token, '/') && frame.option === '$apply' && isSymbol(before, ')')) return { ...frame, first: index + 1 };
  return frame;
}

function single(reached: Reached | undefined): Reached {
  return reached === undefined ? { kind: 'value', family: 'string', many: false } : { ...reached, many: false };
}

function opened(tokens: readonly Token[], index: number, frame: Frame, tables: ShownTables): Frame {
  const before = tokens[index - 1];
  const callee = before?.kind === 'word' ? before.name.toLowerCase() : '';
  const names = before?.kind === 'word' ? pathBefore(tokens.slice(0, index), '', frame.first).path : [];
  const shared = { ...frame, callee, first: index + 1, argument: 0 };
  if ((frame.option === '$expand' || frame.option === '$select') && frame.kind !== 'call') {
    const target = frame.start && follow(frame.start, names, tables);
    return { ...shared, kind: 'inner', option: '', start: target && single(target), variables: new Map() };
  }
  if (callee === 'any' || callee === 'all') return { ...shared, kind: 'lambda', left: reachedBy(names.slice(0, -1), frame, tables) };
  if (callee === 'in') return { ...shared, kind: 'list', left: operandBefore(tokens, index - 1, frame, tables) };
  return { ...shared, kind: callee === '' ? 'group' : 'call' };
}

/** Words that no path ends with. */
const keywords: ReadonlySet<string> = new Set(['not', 'with', 'as']);

// The names before the cursor that end with a slash, or with the last name where no word is being written.
function pathBefore(tokens: readonly Token[], partial: string, first: number): { readonly path: readonly string[]; readonly end: number } {
  const path: string[] = [];
  let end = tokens.length;
  const last = tokens[end - 1];
  if (partial === '' && last?.kind === 'word' && operatorNamed(last.name) === undefined && !keywords.has(last.name)) {
    path.unshift(last.name);
    end--;
  }
  for (let name = tokens[end - 2]; isSymbol(tokens[end - 1], '/') && name?.kind === 'word' && end - 2 >= first; name = tokens[end - 2]) {
    path.unshift(name.name);
    end -= 2;
  }
  return { path, end };
}

/** Where a path leads from the frame: its first name may be a variable. */
export function reachedBy(path: readonly string[], { start, variables }: Frame, tables: ShownTables): Reached | undefined {
  const [first = '', ...rest] = path;
  const variable = variables.get(first) ?? (first === '$it' || first === '$this' ? start : undefined);
  if (variable) return follow(variable, rest, tables);
  return start && follow(start, path, tables);
}

/** The kind of the operand that ends before the index: a path, a call, or a literal. */
export function operandBefore(tokens: readonly Token[], index: number, frame: Frame, tables: ShownTables): Reached | undefined {
  const last = tokens[index - 1];
  if (last?.kind === 'word') return reachedBy(pathBefore(tokens.slice(0, index), '', frame.first).path, frame, tables);
  if (last?.kind === 'literal') return last.type === 'Edm.Boolean' ? condition : { kind: 'value', family: 'string', many: false };
  if (!isSymbol(last, ')')) return undefined;
  return resultOf(tokens, index);
}

const condition: Reached = { kind: 'value', family: 'boolean', many: false };

/** The results of functions that are no conditions. */
const results: ReadonlyMap<string, Reached> = new Map(
  methods.map(({ name, result }) => [name, { kind: 'value', many: false, family: familyOfResult(result) }]),
);

function familyOfResult(result: string): Extract<Reached, { kind: 'value' }>['family'] {
  if (result === 'Edm.Boolean') return 'boolean';
  if (result === 'Edm.String') return 'string';
  if (result === 'Edm.Date') return 'date';
  if (result === 'Edm.DateTimeOffset') return 'timestamp';
  return result === 'Edm.TimeOfDay' ? 'time' : 'number';
}

// A closing parenthesis ends a call, whose name says its result, or a condition.
function resultOf(tokens: readonly Token[], end: number): Reached {
  let depth = 0;
  for (let index = end - 1; index >= 0; index--) {
    if (isSymbol(tokens[index], ')')) depth++;
    if (isSymbol(tokens[index], '(') && --depth === 0) {
      const callee = tokens[index - 1];
      return (callee?.kind === 'word' && results.get(callee.name.toLowerCase())) || condition;
    }
  }
  return condition;
}
