import type { Field } from '../../edm/index.js';
import { createHooks } from '../../errors/hooks.js';
import type { ODataError } from '../../errors/odata-error.js';
import { errors } from '../../errors/catalogue.js';
import type { MethodCallExpr } from '../../expression/ast.js';
import type { Json } from '../../json/json.js';
import type { TypedExpr, TypedLiteral } from '../typed-expr.js';
import type { CheckedValue } from './value-text.js';

type GeoFamily = 'Edm.Geography' | 'Edm.Geometry';

/** Values of the geo types. */
export interface Shapes {
  /** A literal of a URL as PostgreSQL's shape, and as GeoJSON. */
  readonly literal: (text: string, family: GeoFamily, option: string) => TypedLiteral;
  readonly json: (text: string, family: GeoFamily, option: string) => Json;
  /** A value of a body, checked against its property. */
  readonly plan: (name: string, field: Field, json: Json) => CheckedValue | { readonly fault: ODataError };
  /** Rejects arguments of a geo function in different reference systems. */
  readonly requireOneSystem: (call: MethodCallExpr, args: readonly TypedExpr[], option: string) => void;
  /** The raw value of a shape as GeoJSON, and the reverse. */
  readonly printRaw: (field: Field, shape: Json) => string;
  readonly readRaw: (field: Field, text: string) => Json;
}

/** The hooks of `plan/value`. */
export const valueHooks = createHooks<{ readonly shapes: Shapes }>();

/** The shapes of a model; an error where it has none. */
export function requireShapes(option: string): Shapes {
  const shapes = valueHooks.find('shapes');
  if (shapes === undefined) throw errors.notImplemented('A shape in a model without geo types').at(option);
  return shapes;
}
