import { ODataError } from '../../../runtime/errors/odata-error.js';
import { parseFilter } from '../../../runtime/expression/parser.js';
import type { Expression } from '../../csdl/csdl.js';
import { propertiesOf, type Scope } from '../names/scope.js';

/** Logical operators of annotations (CSDL XML 4.01, 14.4.1), whose operands are conditions; null permits nothing. */
const logical: { readonly [operator: string]: ((...operands: readonly string[]) => string) | undefined } = {
  And: (...operands) => operands.join(' and '),
  Or: (...operands) => operands.join(' or '),
  Not: (operand = '') => `not ${operand}`,
  If: (condition = '', met = '', otherwise = 'false') => `${condition} and ${met} or not ${condition} and ${otherwise}`,
};

const comparing: { readonly [operator: string]: string | undefined } = { Eq: 'eq', Ne: 'ne', Gt: 'gt', Ge: 'ge', Lt: 'lt', Le: 'le' };

/**
 * A Boolean expression of the model as a `$filter` expression over the entity: paths through complex values and
 * single-valued navigation properties, constants, and the operators above. Undefined for other expressions and for
 * constants.
 */
export function recordCondition(expression: Expression | undefined, type: string, scope: Scope): string | undefined {
  if (expression?.kind !== 'path' && expression?.kind !== 'operator') return undefined;
  const condition = conditionOf(expression, type, scope);
  return condition !== undefined && isFilter(condition) ? condition : undefined;
}

// A name may not be valid in expressions.
function isFilter(text: string): boolean {
  try {
    parseFilter(text);
    return true;
  } catch (fault) {
    if (!(fault instanceof ODataError)) throw fault;
    return false;
  }
}

function conditionOf(expression: Expression, type: string, scope: Scope): string | undefined {
  if (expression.kind === 'constant') return /^(true|false)$/.test(expression.value) ? expression.value : undefined;
  if (expression.kind === 'path') return typeAt(expression.value, type, scope) === 'Edm.Boolean' ? expression.value : undefined;
  if (expression.kind !== 'operator') return undefined;
  const { operator, operands } = expression;
  if (comparing[operator] !== undefined) return comparison(comparing[operator], operands, type, scope);
  const join = logical[operator];
  const conditions = operands.map((operand) => conditionOf(operand, type, scope));
  if (join === undefined || conditions.includes(undefined)) return undefined;
  return `(${join(...conditions.flatMap((condition) => condition ?? []))})`;
}

// Only that both sides are of one kind is checked, which `$filter` requires.
function comparison(operator: string, operands: readonly Expression[], type: string, scope: Scope): string | undefined {
  const [left, right] = operands.map((operand) => valueOf(operand, type, scope));
  if (left === undefined || right === undefined) return undefined;
  const isNull = left.kind === 'null' || right.kind === 'null';
  const fits = isNull ? operator === 'eq' || operator === 'ne' : left.kind === right.kind;
  return fits ? `(${left.text} ${operator} ${right.text})` : undefined;
}

interface Value {
  readonly text: string;
  readonly kind: string;
}

/** The kinds that can be compared: properties by type, constants by element. */
const kinds: { readonly [type: string]: string | undefined } = {
  'Edm.String': 'text',
  String: 'text',
  'Edm.Boolean': 'Boolean',
  Bool: 'Boolean',
  'Edm.Guid': 'GUID',
  Guid: 'GUID',
  'Edm.Byte': 'number',
  'Edm.SByte': 'number',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': 'number',
  'Edm.Decimal': 'number',
  Int: 'number',
  Decimal: 'number',
  'Edm.Date': 'date',
  Date: 'date',
  'Edm.TimeOfDay': 'time',
  TimeOfDay: 'time',
  'Edm.DateTimeOffset': 'date-time',
  DateTimeOffset: 'date-time',
};

function valueOf(expression: Expression, type: string, scope: Scope): Value | undefined {
  if (expression.kind === 'null') return { text: 'null', kind: 'null' };
  if (expression.kind !== 'path' && expression.kind !== 'constant') return undefined;
  const kind = kinds[(expression.kind === 'path' ? typeAt(expression.value, type, scope) : expression.type) ?? ''];
  const text = expression.kind === 'constant' && kind === 'text' ? `'${expression.value.replaceAll("'", "''")}'` : expression.value;
  return kind === undefined ? undefined : { text, kind };
}

/** The primitive type of a single value at a path; undefined after casts and collections. */
function typeAt(path: string, from: string, scope: Scope): string | undefined {
  const reached = path.split('/').reduce<string | undefined>((type, name) => {
    const property = type === undefined ? undefined : propertiesOf(type, scope).find((one) => one.name === name);
    return property === undefined || property.collection ? undefined : scope.qualify(property.type);
  }, from);
  const definition = reached === undefined ? undefined : scope.definitions.get(reached);
  return definition?.kind === 'TypeDefinition' ? definition.underlyingType : reached;
}
