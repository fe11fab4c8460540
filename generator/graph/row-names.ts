import type { parseFilter } from '../../runtime/expression/parser.js';
import { structuresOf, type Scope } from './scope.js';

type Filter = ReturnType<typeof parseFilter>;

/** An unknown name in a condition, with similar ones. */
interface UnknownName {
  readonly name: string;
  readonly known: readonly string[];
}

/**
 * The first unknown property at the start of a path in the condition. The rest of paths and types are checked when the
 * model is loaded, like every filter.
 */
export function unknownName(filter: Filter, type: string, scope: Scope): UnknownName | undefined {
  const line = structuresOf(type, scope);
  const last = line.at(-1);
  // The type has unknown base types, or dynamic properties.
  if (last === undefined || last.baseType !== undefined || line.some(({ openType }) => openType)) return undefined;
  const parts = partsOf(filter);
  const known = line.flatMap(({ properties }) => properties.map(({ name }) => name));
  const named = new Set([...known, ...line.flatMap(({ leftOut = [] }) => leftOut), ...parts.flatMap(variableOf)]);
  const name = parts.flatMap(beginningOf).find((each) => /^[^.@$]+$/.test(each) && !named.has(each));
  return name === undefined ? undefined : { name, known };
}

// A name with parentheses is a function.
function beginningOf(expr: Filter): readonly string[] {
  if (expr.kind !== 'member' || expr.base !== undefined) return [];
  return expr.path.slice(0, 1).flatMap(({ name, parentheses }) => (parentheses === undefined ? [name] : []));
}

function variableOf(expr: Filter): readonly string[] {
  return expr.kind === 'lambda' && expr.variable !== undefined ? [expr.variable] : [];
}

// An expression and all its parts, in the order of the text.
function partsOf(expr: Filter): readonly Filter[] {
  return [expr, ...operandsOf(expr).flatMap(partsOf)];
}

function operandsOf(expr: Filter): readonly Filter[] {
  switch (expr.kind) {
    case 'unary':
      return [expr.operand];
    case 'binary':
      return [expr.left, expr.right];
    case 'methodCall':
      return expr.arguments;
    case 'lambda':
      return [expr.source, ...(expr.predicate === undefined ? [] : [expr.predicate])];
    case 'list':
      return expr.items;
    default:
      return [];
  }
}
