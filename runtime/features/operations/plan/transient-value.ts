import type { EntityContainer } from '../../../edm/entity-container.js';
import type { Field } from '../../../edm/field.js';
import type { PathPart } from '../../../uri/resource-path.js';
import { propertyOf, storedExpr } from '../../../plan/check/property-expr.js';
import type { TransientSource } from './transient-source.js';
import { transientType } from './transient-type.js';
import type { PathContext, Target } from '../../../plan/path-target.js';
import { fromProperty, requireNoKey } from '../../../plan/property-path.js';
import { refuseUnplannedPart } from '../../../plan/check/unplanned.js';

/** The name of the only property of the entity around a value. */
const valueMember = 'value';

/**
 * The result value of a call, as the only property of a transient entity: paths, items and options are planned like
 * those of any property.
 */
export function transientValue(
  container: EntityContainer,
  name: string,
  field: Field,
): Pick<TransientSource, 'container' | 'columns' | 'type'> {
  const type = transientType({ name, qualifiedName: name, fields: { [valueMember]: field }, navigation: {} });
  return {
    container,
    type,
    columns: [{ kind: 'value', column: valueMember, value: propertyOf({ alias: 'item', column: 'value', steps: [] }, valueMember, field) }],
  };
}

/** The target of a path after such a call. */
export function valueTarget(
  { type }: Pick<TransientSource, 'type'>,
  rest: readonly PathPart[],
  context: PathContext,
): Extract<Target, { kind: 'property' }> {
  rest.forEach(refuseUnplannedPart);
  rest.forEach(requireNoKey);
  const alias = context.aliases.next();
  const field = type.fields[valueMember];
  if (field === undefined) throw new Error('A nested value has no enclosing record.');
  const target = fromProperty(
    {
      kind: 'property',
      name: type.name,
      field,
      value: storedExpr({ alias, type }, valueMember, field),
      suffix: '',
      type,
      alias,
      parents: [],
      key: [],
      via: undefined,
    },
    rest,
    context,
  );
  if (target.kind !== 'property') throw new Error('The path of a nested value is not a value.');
  return target;
}
