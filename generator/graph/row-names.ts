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
  const known = line.flatMap(({ properties }) => properties.map(({ name }) => name));
  const named = new Set([...known, ...line.flatMap(({ leftOut = [] }) => leftOut), ...variablesOf(filter)]);
  const name = beginningsOf(filter).find((each) => /^[^.@$]+$/.test(each) && !named.has(each));
  return name === undefined ? undefined : { name, known };
}

// What has parentheses is a function.
function beginningsOf(expr: Filter): readonly string[] {
  switch (expr.kind) {
    case 'member':
      return expr.base === undefined
        ? expr.path.slice(0, 1).flatMap(({ name, parentheses }) => (parentheses === undefined ? [name] : []))
        : [];
    case 'unary':
      return beginningsOf(expr.operand);
    case 'binary':
      return [...beginningsOf(expr.left), ...beginningsOf(expr.right)];
    case 'methodCall':
      return expr.arguments.flatMap(beginningsOf);
    case 'lambda':
      return [...beginningsOf(expr.source), ...(expr.predicate === undefined ? [] : beginningsOf(expr.predicate))];
    case 'list':
      return expr.items.flatMap(beginningsOf);
    default:
      return [];
  }
}

function variablesOf(expr: Filter): readonly string[] {
  switch (expr.kind) {
    case 'unary':
      return variablesOf(expr.operand);
    case 'binary':
      return [...variablesOf(expr.left), ...variablesOf(expr.right)];
    case 'methodCall':
      return expr.arguments.flatMap(variablesOf);
    case 'lambda':
      return [
        ...(expr.variable === undefined ? [] : [expr.variable]),
        ...(expr.predicate === undefined ? [] : variablesOf(expr.predicate)),
      ];
    default:
      return [];
  }
}
