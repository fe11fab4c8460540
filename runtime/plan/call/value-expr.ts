import type { Field, PrimitiveTypeName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { CommonExpr, LiteralExpr, LiteralType } from '../../expression/ast.js';
import { isArray, isNumber, isObject, type Json } from '../../json/json.js';

/** A value as an expression that has it: a literal, an array of them or a JSON object. */
export function valueExpr(json: Json, field: Field, at: number): CommonExpr {
  if (json === null) return literalExpr('null', 'null', at);
  if (isArray(json)) return { kind: 'array', at, items: json.items.map((item) => valueExpr(item, field, at)) };
  if (field.complex !== undefined) return objectExpr(json, at);
  const text = isNumber(json) ? json.text : String(json);
  if (field.enumeration) return { kind: 'enum', at, type: field.enumeration.qualifiedName, value: text };
  const type = literalTypes[field.type];
  if (type === undefined)
    throw errors.notImplemented(`A value of ${field.type} that a function gives an expression`, 'Write it as a literal.');
  return literalExpr(type, text, at);
}

/** The literals that values of a type are written as; of the others there are none. */
const literalTypes: { readonly [Type in PrimitiveTypeName]?: LiteralType } = {
  'Edm.String': 'Edm.String',
  'Edm.Boolean': 'Edm.Boolean',
  'Edm.Byte': 'Edm.Int64',
  'Edm.SByte': 'Edm.Int64',
  'Edm.Int16': 'Edm.Int64',
  'Edm.Int32': 'Edm.Int64',
  'Edm.Int64': 'Edm.Int64',
  'Edm.Decimal': 'Edm.Decimal',
  'Edm.Single': 'Edm.Double',
  'Edm.Double': 'Edm.Double',
  'Edm.Date': 'Edm.Date',
  'Edm.TimeOfDay': 'Edm.TimeOfDay',
  'Edm.DateTimeOffset': 'Edm.DateTimeOffset',
  'Edm.Duration': 'Edm.Duration',
  'Edm.Guid': 'Edm.Guid',
  'Edm.Binary': 'Edm.Binary',
};

function literalExpr(type: LiteralType, value: string, at: number): LiteralExpr {
  return { kind: 'literal', at, type, value };
}

// What stands in JSON is what a JSON object in an expression has.
function objectExpr(json: Json, at: number): CommonExpr {
  if (json === null) return literalExpr('null', 'null', at);
  if (isArray(json)) return { kind: 'array', at, items: json.items.map((item) => objectExpr(item, at)) };
  if (isObject(json))
    return { kind: 'object', at, members: [...json.members].map(([name, value]) => ({ name, at, value: objectExpr(value, at) })) };
  if (isNumber(json)) return literalExpr('Edm.Decimal', json.text, at);
  return typeof json === 'boolean' ? literalExpr('Edm.Boolean', String(json), at) : literalExpr('Edm.String', json, at);
}
