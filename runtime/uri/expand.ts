import type { PathSegment } from '../expression/ast.js';
import { ahead, current, isSymbol, limitError, syntaxError, takeSymbol, type Cursor } from '../expression/cursor.js';
import { takePathSlash, takeSegment } from '../expression/parse-member.js';
import { parseInnerOptions, type ItemKind, type Nesting } from './inner-options.js';
import { uriLimits } from './limits.js';
import type { ExpandItem } from './query-options.js';

/** ABNF rule expand after its equals sign, inner options and all levels included. */
export function parseExpand(cursor: Cursor): readonly ExpandItem[] {
  return parseExpandItems({ cursor, level: 1, counter: { expanded: 0 } });
}

/** One list of items of `$expand`, at any level. */
export function parseExpandItems(nesting: Nesting): readonly ExpandItem[] {
  const { cursor, level, counter } = nesting;
  if (level > uriLimits.expandDepth) throw limitError(cursor, `$expand is nested more than ${uriLimits.expandDepth} levels deep.`);
  const items: ExpandItem[] = [];
  do {
    if (++counter.expanded > uriLimits.expandItems) throw limitError(cursor, `$expand has more than ${uriLimits.expandItems} items.`);
    items.push(parseExpandItem(nesting));
  } while (takeSymbol(cursor, ','));
  return items;
}

function parseExpandItem(nesting: Nesting): ExpandItem {
  const path = parseExpandPath(nesting.cursor);
  refuseOtherParentheses(nesting);
  if (!isSymbol(current(nesting.cursor), '(')) return { path, options: {} };
  return { path, options: parseInnerOptions(nesting, itemKind(path)) };
}

// Rejects options in brackets or braces after a name, as other languages write them.
function refuseOtherParentheses({ cursor, level }: Nesting): void {
  const token = current(cursor);
  const next = ahead(cursor, 1);
  const isOption = (one: typeof token): boolean => one.kind === 'word' && one.name.startsWith('$');
  const opens = token.kind === 'json' || ['[', '{', '?'].some((symbol) => isSymbol(token, symbol as '['));
  if (opens || isOption(token))
    throw syntaxError(cursor, token.at, 'the options of an item follow its name in parentheses, write ‹related›($top=1)');
  // Within an item's parentheses the next option follows.
  if (isSymbol(token, ';') && isOption(next) && level === 1)
    throw syntaxError(
      cursor,
      token.at,
      'the options of an item follow its name in parentheses, write ‹related›($top=1;$select=‹relatedText›)',
    );
}

function itemKind(path: readonly PathSegment[]): ItemKind {
  const last = path.at(-1)?.name;
  return last === '*' || last === '$ref' || last === '$count' ? last : 'item';
}

function parseExpandPath(cursor: Cursor): readonly PathSegment[] {
  const path = [takeExpandSegment(cursor)];
  while (takePathSlash(cursor, path)) {
    path.push(takeExpandSegment(cursor));
    requireOrder(cursor, path);
  }
  const [only] = path;
  // The content of a media entity is addressed as `$value` only.
  if (only?.name.startsWith('$') && isSymbol(current(cursor), '='))
    throw syntaxError(
      cursor,
      only.at,
      `the options of an item follow its name in parentheses, write ‹related›(${only.name}=...); options of the request start with &`,
    );
  if (only?.name.startsWith('$') && only.name !== '$value')
    throw syntaxError(cursor, only.at, `the name of a navigation property is missing before ${only.name}`);
  return path;
}

function takeExpandSegment(cursor: Cursor): PathSegment {
  const token = current(cursor);
  if (takeSymbol(cursor, '*')) return { name: '*', at: token.at };
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'the name of a navigation property or * is expected');
  return takeSegment(cursor);
}

// Nothing follows $ref and $count; only $ref follows * (ABNF rule expandItem).
function requireOrder(cursor: Cursor, path: readonly PathSegment[]): void {
  const [before, last] = [path.at(-2), path.at(-1)];
  if (before === undefined || last === undefined) return;
  if (before.name.startsWith('$')) throw syntaxError(cursor, last.at, `nothing can follow ${before.name} in $expand`);
  if (before.name === '*' && last.name !== '$ref') throw syntaxError(cursor, last.at, 'only $ref can follow * in $expand');
  if (last.name.startsWith('$') && last.name !== '$ref' && last.name !== '$count')
    throw syntaxError(cursor, last.at, `$expand does not allow ${last.name}, only $ref and $count`);
}
