import type { PathSegment } from '../expression/ast.js';
import { ahead, current, isSymbol, opensCall, syntaxError, type Cursor } from '../expression/cursor.js';
import { isMethod } from '../expression/methods.js';
import { operatorNamed } from '../expression/operators.js';

const aggregates: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'average', 'min', 'max', 'countdistinct']);

/** Rejects SQL in `$select`: functions, operators, aliases, distinct. */
export function refuseValue(cursor: Cursor, { name, at }: PathSegment): void {
  const next = current(cursor);
  const advice = opensCall(next) ? callAdvice(name, ahead(cursor, 1)) : behindAdvice(name, next);
  if (advice !== undefined) throw syntaxError(cursor, opensCall(next) ? at : next.at, advice);
}

function callAdvice(name: string, argument: ReturnType<typeof current>): string | undefined {
  const lower = name.toLowerCase();
  if (lower === 'count' && isSymbol(argument, '*'))
    return 'records are counted by /$count after the set, $count=true, or $apply=aggregate($count as Many)';
  if (aggregates.has(lower)) return 'values are aggregated by $apply=aggregate(‹number› with sum as Total)';
  if (lower === 'distinct') return 'distinct values are $apply=groupby((‹text›))';
  return isMethod(lower) ? `a value is computed first, write $compute=${lower}(...) as Name&$select=Name` : undefined;
}

function behindAdvice(name: string, next: ReturnType<typeof current>): string | undefined {
  if (next.kind === 'word' && /^(?:distinct|unique)$/i.test(name)) return 'distinct values are $apply=groupby((‹text›))';
  if (next.kind === 'word' && next.name.toLowerCase() === 'as')
    return `a property cannot be renamed in $select; an alias is $compute=${name} as Name&$select=Name`;
  const operator = next.kind === 'word' ? operatorNamed(next.name) !== undefined : next.kind === 'symbol' && /^[-+*%|]$/.test(next.symbol);
  return operator ? 'a value is computed first, write $compute=‹number› mul 2 as Double&$select=Double' : undefined;
}
