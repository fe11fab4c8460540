import type { NavigationProperty, StructuredType } from '../csdl/csdl.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import type { Notes } from '../csdl/vocabulary.js';
import { faults, type Report } from '../faults.js';
import { buildFields, type BuiltField } from './build-fields.js';
import type { Context } from './context.js';

/** An entity type before relations and sets are known. */
export interface BuiltType {
  readonly definition: StructuredType;
  readonly name: string;
  readonly qualifiedName: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly fields: ReadonlyMap<string, BuiltField>;
  readonly navigation: readonly NavigationProperty[];
  readonly notes: Notes;
}

/** Resolves the key and the properties of one entity type. */
export function buildType(definition: StructuredType, namespace: string, table: string, context: Context): BuiltType {
  const qualifiedName = `${namespace}.${definition.name}`;
  const fields = buildFields(definition, qualifiedName, context);
  return {
    definition,
    name: definition.name,
    qualifiedName,
    table,
    key: buildKey(definition, fields, context),
    fields,
    navigation: definition.properties.filter((property) => property.kind === 'NavigationProperty'),
    notes: context.notesOf(qualifiedName, definition.annotations),
  };
}

function buildKey(type: StructuredType, fields: ReadonlyMap<string, BuiltField>, { report }: Context): readonly string[] {
  const [key, second] = type.keys;
  if (key === undefined || key.length === 0) {
    if (type.baseType === undefined) report(faults.missingKey(type.at, type.name));
    return [];
  }
  if (second !== undefined) report(faults.duplicate(second[0]?.at ?? type.at, 'the element Key', `Entity type ${type.name}`));
  return key.flatMap(({ name, alias, at }) => {
    if (alias !== undefined || name.includes('/')) {
      report(faults.notSupported(at, `The key ${type.name}/${name} through a path`, 'Use properties of the type itself.'));
      return [];
    }
    const written = type.properties.some((property) => property.kind === 'Property' && property.name === name);
    if (!written) report(faults.unknownKey(at, type.name, name, suggestion(name, fields.keys())));
    const built = fields.get(name);
    if (built === undefined) return [];
    checkKeyField(built, type.name, report);
    return [name];
  });
}

const keyTypes: ReadonlySet<string> = new Set([
  'Edm.String', 'Edm.Boolean', 'Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal',
  'Edm.Date', 'Edm.TimeOfDay', 'Edm.DateTimeOffset', 'Edm.Duration', 'Edm.Guid',
]);

// CSDL XML 4.01, 6.5: the types that a key may have.
function checkKeyField({ property, field }: BuiltField, owner: string, report: Report): void {
  if (field.nullable) report(faults.nullableKey(property.at, owner, property.name));
  if (field.collection) report(faults.keyType(property.at, owner, property.name, 'a collection'));
  else if (!keyTypes.has(field.type)) report(faults.keyType(property.at, owner, property.name, field.type));
}
