import { complexTypeOf, fieldOf, type EntityContainer, type EntityType, type Field } from '../edm/index.js';
import { storedExpr } from './check/stored-expr.js';
import { castOf, placeOf, propertyOf } from './check/check-property.js';
import type { PropertyExpr, TypedExpr } from './typed-expr.js';
import { isPresent } from './value/check-literal.js';

/** An entity within a statement. */
interface Holder {
  readonly type: EntityType;
  readonly alias: string;
}

/** Whether an entity has the complex value at a path of names and casts. */
export function hasValueAt(holder: Holder, names: readonly string[], container: EntityContainer): TypedExpr {
  return isPresent(valueAt(holder, names, container));
}

/** The test for a cast on the path, since other values lack its members; a null value has none anyway. */
export function castValueAt(holder: Holder, names: readonly string[], container: EntityContainer): TypedExpr | undefined {
  return names.some((name) => name.includes('.')) ? hasValueAt(holder, names, container) : undefined;
}

function valueAt(holder: Holder, [root = '', ...inner]: readonly string[], container: EntityContainer): PropertyExpr {
  const known = (field: Field | undefined, name: string): Field => {
    if (field === undefined) throw new Error(`${holder.type.name} has no property path ${name}.`);
    return field;
  };
  const start = known(fieldOf(holder.type, root), root);
  return inner.reduce<{ readonly field: Field; readonly value: PropertyExpr }>(
    ({ field, value }, name) => {
      const complex = complexTypeOf(container, field);
      if (name.includes('.')) {
        const cast = castOf(value, complex, name, { container, option: name });
        return { field: { ...field, complex: cast.complex.qualifiedName }, value: cast.value };
      }
      const next = known(fieldOf(complex, name), name);
      return { field: next, value: propertyOf(placeOf(value), name, next) };
    },
    { field: start, value: storedExpr(holder, root, start) },
  ).value;
}
