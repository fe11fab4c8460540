import { defaultLimits, type EntityContainer, type EntityType, type Field, type RecordType } from '../../../edm/index.js';
import { propertyOf, storedExpr } from '../../../plan/check/property-expr.js';
import { refuseUnplannedPart } from '../../../plan/check/unplanned.js';
import { everybody } from '../../../plan/caller.js';
import { planHooks } from '../../../plan/hooks.js';
import type { PathContext, Target } from '../../../plan/path/path-target.js';
import { entityTypeNamed, recordTypeNamed } from '../../../plan/path/derivation.js';
import { requireNoKey } from '../../../plan/read/path-segments.js';
import type { PathPart } from '../../../uri/resource-path.js';
import type { TransientSource } from './transient-source.js';

/** The name of the only property of the entity around a value. */
const valueMember = 'value';

/** The result value of a call, as the only property of a transient entity: it is planned like any property. */
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
  const target = planHooks.get('fromProperty')(
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

/** The table name of a handler's transient entities. No table of a model has a name that begins so. */
export const transientTable = '#transient';

const noRules: EntityType['rules'] = {
  requiredOnCreate: [],
  requiredOnUpdate: [],
  computed: [],
  initialOnly: [],
  immutable: [],
  references: {},
  onInsert: {},
  onUpdate: {},
};

const reading: EntityType['routes'] = [
  { method: 'GET', operation: 'readCollection' },
  { method: 'GET', operation: 'readEntity' },
];

/** A transient entity type, without permissions. */
function transientType({ name, qualifiedName, fields, navigation }: Omit<RecordType, 'derivedTypes'>): EntityType {
  return {
    name,
    qualifiedName,
    fields,
    navigation,
    table: transientTable,
    transient: true,
    key: [],
    rules: noRules,
    permissions: everybody,
    limits: defaultLimits,
    routes: reading,
  };
}

/** The result type of an operation and its derived types, as transient entity types. */
export function transientEntityTypes(container: EntityContainer, declared: RecordType): readonly EntityType[] {
  const family = [declared, ...(declared.derivedTypes ?? []).flatMap((name) => recordTypeNamed(container, name) ?? [])];
  return family.map((type) => ({ ...transientEntityType(type, container), ...inFamily(type, family) }));
}

function inFamily({ qualifiedName, abstract, derivedTypes }: RecordType, family: readonly RecordType[]): Partial<EntityType> {
  const baseTypes = family.filter((other) => other.derivedTypes?.includes(qualifiedName)).map((other) => other.qualifiedName);
  return {
    place: `@${transientTable}`,
    ...(family.length > 1 && { discriminated: true }),
    baseTypes,
    ...(abstract && { abstract }),
    ...(derivedTypes && { derivedTypes }),
  };
}

// Streams, ETags, dynamic properties and collection restrictions belong to stored entities only.
function transientEntityType(type: RecordType, container: EntityContainer): EntityType {
  const known: Partial<EntityType> = entityTypeNamed(container, type.qualifiedName) ?? {};
  const { key = [], keyFields, entitySet, contained, permissions = everybody, limits = defaultLimits } = known;
  const fields = Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, inOwnColumn(field)]));
  return {
    ...transientType({ ...type, fields }),
    key,
    ...(keyFields && { keyFields }),
    ...(entitySet !== undefined && { entitySet }),
    ...(contained && { contained }),
    permissions,
    limits,
  };
}

// As JSON, all values have their own column.
function inOwnColumn({ more, ...field }: Field): Field {
  const { column: _, ...bare } = field;
  return more ? bare : field;
}
