import { type ComplexType, complexTypeOf, type Field, fieldOf, isDynamicName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import { suggestion } from '../../errors/suggest.js';
import type { PathSegment } from '../../expression/ast.js';
import { isMethod } from '../../expression/methods.js';
import { streamInExpression } from '../plan-stream.js';
import { itemsTarget } from './collection-path.js';
import { type PathTarget, type Scope } from '../scope.js';
import type { JoinStep, JsonPath, PropertyExpr } from '../typed-expr.js';
import { castOf, barePlace, propertyOf, placeOf, within } from './property-expr.js';

/** A property that a path has reached, and the records on the way to it. */
interface Reached {
  readonly name: string;
  readonly field: Field;
  readonly value: PropertyExpr;
  readonly joinSteps: readonly JoinStep[];
}

/** Continues a path after a property: nothing, members of a complex value, or the number of items. */
export function propertyTarget({ name, field, value, joinSteps }: Reached, rest: readonly PathSegment[], scope: Scope): PathTarget {
  const [next] = rest;
  const isCount = field.collection && next?.name === '$count';
  if (field.type === 'Edm.Untyped' && !isCount) return dynamicTarget({ place: placeOf(value), joinSteps }, rest, scope);
  const complex = field.type === 'Edm.ComplexType' ? complexTypeOf(scope.container, field) : undefined;
  if (field.collection) return itemsTarget({ name, column: value, joinSteps, ...(complex && { complex }) }, rest, scope);
  if (complex) return complexTarget({ name, value, complex, joinSteps }, rest, scope);
  if (next)
    throw errors
      .unknownName(
        next.name,
        name,
        isMethod(next.name.toLowerCase())
          ? ` It is a function: write ${next.name.toLowerCase()}(${name}${next.parentheses ? ',...' : ''}).`
          : '',
      )
      .at(scope.option)
      .in(next);
  return { kind: 'value', expr: within(joinSteps, value) };
}

interface ComplexValue extends Omit<Reached, 'field'> {
  readonly complex: ComplexType;
}

/** A path into a complex value. */
export function complexTarget(value: ComplexValue, path: readonly PathSegment[], scope: Scope): PathTarget {
  return located(path[0], () => withinComplex(value, path, scope));
}

function withinComplex(
  { name: shown, value, complex, joinSteps }: ComplexValue,
  [segment, ...rest]: readonly PathSegment[],
  scope: Scope,
): PathTarget {
  if (segment === undefined) return { kind: 'value', expr: within(joinSteps, value) };
  const { name } = segment;
  if (name.includes('.')) return complexTarget({ name: shown, joinSteps, ...castOf(value, complex, name, scope) }, rest, scope);
  const field = fieldOf(complex, name);
  if (complex.streams?.includes(name)) throw streamInExpression(complex, `${shown}/${name}`, scope.option);
  if (field === undefined && isDynamicName(complex, name))
    return dynamicTarget({ place: placeOf(value), joinSteps }, [segment, ...rest], scope);
  if (field === undefined) throw unknownProperty(name, shown, complex);
  return propertyTarget({ name, field, value: propertyOf(placeOf(value), name, field), joinSteps }, rest, scope);
}

/** A dynamic property of an open type, or a value nested in one; null if it does not exist. */
export function dynamicTarget(
  { place, joinSteps }: { readonly place: JsonPath; readonly joinSteps: readonly JoinStep[] },
  path: readonly PathSegment[],
  scope: Scope,
): PathTarget {
  const special = path.find(({ name }) => !isDynamicName({ open: true }, name));
  if (special) throw errors.notImplemented(`${special.name} after a dynamic property`).at(scope.option).in(special);
  return {
    kind: 'value',
    expr: { kind: 'dynamic', type: 'null', nullable: true, ...barePlace(place), names: path.map(({ name }) => name), joinSteps },
  };
}

function unknownProperty(name: string, owner: string, { fields, name: type }: ComplexType): Error {
  return errors.unknownName(`property ${name}`, `${owner} (${type})`, suggestion(name, Object.keys(fields))).at(name);
}
