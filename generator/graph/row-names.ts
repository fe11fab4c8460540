import type { parseFilter } from '../../runtime/expression/parser.js';
import { structuresOf, type Scope } from './scope.js';

type Filter = ReturnType<typeof parseFilter>;

/** A name of a condition, and those that it may have been. */
interface UnknownName {
  readonly name: string;
  readonly known: readonly string[];
}

/**
 * The first name with which a path of the condition begins and that the type does not have. What stands behind it, and
 * whether types fit, is found when the model is loaded, by what checks every filter.
 */
export function unknownName(filter: Filter, type: string, scope: Scope): UnknownName | undefined {
  const line = structuresOf(type, scope);
  const last = line.at(-1);
  // What the type declares is not known whole, or is not all that its records have.
  if (last === undefined || last.baseType !== undefined || line.some(({ openType }) => openType)) return undefined;
  const parts = partsOf(filter);
  const known = line.flatMap(({ properties }) => properties.map(({ name }) => name));
  const named = new Set([...known, ...line.flatMap(({ leftOut = [] }) => leftOut), ...parts.flatMap(variableOf)]);
  const name = parts.flatMap(beginningOf).find((each) => /^[^.@$]+$/.test(each) && !named.has(each));
  return name === undefined ? undefined : { name, known };
}

// What has parentheses is a function.
function beginningOf(expr: Filter): readonly string[] {
  if (expr.kind !== 'member' || expr.base !== undefined) return [];
  return expr.path.slice(0, 1).flatMap(({ name, parentheses }) => (parentheses === undefined ? [name] : []));
}

function variableOf(expr: Filter): readonly string[] {
  return expr.kind === 'lambda' && expr.variable !== undefined ? [expr.variable] : [];
}

// An expression and all within it, in the order of the text.
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
