import type { StructuredType } from '../../csdl/csdl.js';
import type { BuiltType, Context, BuiltFields } from '../built-model.js';
import { isStream } from './value-types.js';

/** The start of a path. */
interface Owner {
  readonly definition: StructuredType;
  readonly fields: BuiltFields;
}

/** Whether a path goes through a property that a reported fault removed: naming it is no second fault. */
export function hasOwnFault(path: string, { definition, fields }: Owner, context: Context): boolean {
  const [first = '', ...rest] = path.split('/').filter((name) => !name.includes('.'));
  const built = fields.get(first);
  if (definition.leftOut?.includes(first)) return true;
  if (built === undefined)
    return definition.properties.some(
      (property) => property.kind === 'Property' && property.name === first && !isStream(property, context),
    );
  const complex = context.complexTypes.get(built.field.complex ?? '');
  if (complex === undefined || rest.length === 0) return false;
  const whole = [complex, ...complex.bases.flatMap((base) => context.complexTypes.get(base) ?? [])];
  return hasOwnFault(
    rest.join('/'),
    { definition: { ...complex.definition, properties: whole.flatMap((one) => one.definition.properties) }, fields: complex.fields },
    context,
  );
}

/** Whether a base type is unknown, so that the type may inherit any property and key. */
export function isPartial({ definition, bases }: Pick<BuiltType, 'definition' | 'bases'>): boolean {
  return (bases.at(-1) ?? { definition }).definition.baseType !== undefined;
}
