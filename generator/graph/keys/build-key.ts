import type { PropertyRef, StructuredType } from '../../csdl/csdl.js';
import { suggestion } from '../../../runtime/errors/suggest.js';
import { faults, type Report } from '../../faults.js';
import { isIdentifier } from '../../../runtime/edm/identifier.js';
import { hasOwnFault, isPartial } from '../values/own-fault.js';
import { hiddenColumn, keyTypes, pathColumn } from './path-column.js';
import type { BuiltField, Context, BuiltType, Lineage, BuiltFields } from '../built-model.js';
import type { PathColumn } from '../storage.js';
import { structuresOf, type Scope } from '../names/scope.js';

type Key = Pick<BuiltType, 'key' | 'keyColumns'>;

const noKey: Key = { key: [], keyColumns: new Map() };

/** The key of a type, its own or its base type's, and the columns of nested key properties. */
export function keyOf(lineage: Lineage, base: BuiltType | undefined, fields: BuiltFields, hasTable: boolean, context: Context): Key {
  const { definition, alone, root } = lineage;
  if (base !== undefined && base.key.length > 0) return { key: base.key, keyColumns: base.keyColumns };
  // One that was declared has its fault.
  if (definition.keys.length === 0 && base !== undefined && [base, ...base.bases].some((one) => one.definition.keys.length > 0))
    return noKey;
  // An abstract type without a table may leave the key to derived types; a transient type needs none.
  if (definition.keys.length === 0 && ((definition.abstract && !hasTable) || root === undefined)) return noKey;
  // CSDL XML 4.01, 6.5: a singleton needs no key.
  if (definition.keys.length === 0 && alone) return noKey;
  // The base type that is not known may have it.
  if (definition.keys.length === 0 && isPartial({ definition, bases: base ? [base, ...base.bases] : [] })) return noKey;
  return buildKey(definition, fields, context);
}

function buildKey(type: StructuredType, fields: BuiltFields, context: Context): Key {
  const { report } = context;
  const [key, second] = type.keys;
  if (key === undefined || key.length === 0) {
    // The keys of its derived types would not be unique across all of its entities (CSDL XML 4.01, 6.5).
    const why = ', but a set, a singleton or a navigation property has this abstract type: its derived types would have no common key';
    const [reason, hint] = type.abstract ? [why, 'Add the common key, or use one of the derived types.'] : ['', ''];
    report(faults.missingKey(type.at, type.name, reason, hint));
    return noKey;
  }
  if (second !== undefined) report(faults.duplicate(second[0]?.at ?? type.at, 'the element Key', `Entity type ${type.name}`));
  const keyColumns = new Map<string, PathColumn>();
  const names = key.flatMap((ref, index) => {
    if (key.findIndex(({ name }) => name === ref.name) < index) return repeatedKey(ref, type, report);
    if (!ref.name.includes('/') && !ref.related) return keyProperty(ref, type, fields, report);
    const found = keyPath(ref, key, { type, fields }, context);
    if (found === undefined || ref.alias === undefined) return [];
    keyColumns.set(ref.alias, found);
    return [ref.alias];
  });
  return { key: names, keyColumns };
}

// CSDL XML 4.01, 6.5: a key names each property once.
function repeatedKey({ name, at }: PropertyRef, type: StructuredType, report: Report): readonly string[] {
  report(faults.duplicate(at, `the key property ${name}`, `Entity type ${type.name}`));
  return [];
}

function keyProperty({ name, alias, at }: PropertyRef, type: StructuredType, fields: BuiltFields, report: Report): readonly string[] {
  if (alias !== undefined) report(faults.keyAlias(at, type.name, name, 'has an alias, which only a path may have', 'Omit the Alias.'));
  const written = fields.has(name) || type.properties.some((property) => property.kind === 'Property' && property.name === name);
  if (!written) report(faults.unknownKey(at, type.name, name, suggestion(name, fields.keys())));
  const built = fields.get(name);
  if (built === undefined) return [];
  checkKeyField(built, type.name, report);
  return [name];
}

// CSDL XML 4.01, 6.5.2: a property within a complex value has a name in the key.
function keyPath(
  { name, alias, at }: PropertyRef,
  key: readonly PropertyRef[],
  { type, fields }: { readonly type: StructuredType; readonly fields: BuiltFields },
  context: Context,
): PathColumn | undefined {
  const wrong = (why: string, hint: string): undefined => context.report(faults.keyAlias(at, type.name, name, why, hint)) as undefined;
  if (alias === undefined || !isIdentifier(alias)) return wrong('is a path without an alias', 'Add Alias="..." with an OData identifier.');
  if (fields.has(alias)) return wrong(`has the alias ${alias}, which is the name of a property`, 'Choose another Alias.');
  const found = hiddenColumn(name, fields) ?? pathColumn(name, fields, context);
  if (found === undefined && hasOwnFault(name, { definition: type, fields }, context)) return undefined;
  const misspelt = found ? undefined : misspeltName(name, type, context.scope);
  const correction = misspelt && (suggestion(misspelt.name, misspelt.known) || 'Correct the path.');
  if (misspelt) return wrong(`names ${misspelt.name}, which ${misspelt.owner} does not have`, correction ?? '');
  // Of a related record the key is all of the other's, or none: with one part misspelt none of them is right.
  if (!found && key.some((other) => other.name.split('/')[0] === name.split('/')[0] && misspeltName(other.name, type, context.scope)))
    return undefined;
  if (found === undefined)
    return wrong(
      'is not a path to a value that can be a key',
      'Name a property of a key type in a single complex value, or all key properties of a navigation property with Nullable="false"; within a complex value each needs a ReferentialConstraint.',
    );
  if (found.field.nullable) context.report(faults.nullableKey(found.property.at, type.name, name));
  return found;
}

function checkKeyField({ property, field }: BuiltField, owner: string, report: Report): void {
  if (field.nullable) report(faults.nullableKey(property.at, owner, property.name));
  if (field.collection) report(faults.keyType(property.at, owner, property.name, 'a collection'));
  else if (!keyTypes.has(field.type)) report(faults.keyType(property.at, owner, property.name, field.type));
}

/** An unknown name in a path, with the known names of the type before it. */
interface MisspeltName {
  readonly name: string;
  readonly owner: string;
  readonly known: readonly string[];
}

/** The first unknown name of a path; undefined where all exist, or a type is unknown. */
function misspeltName(path: string, type: StructuredType, scope: Scope): MisspeltName | undefined {
  let line: readonly StructuredType[] = [type];
  for (const name of path.split('/')) {
    const properties = line.flatMap((one) => one.properties);
    const found = properties.find((property) => property.name === name);
    const [owner] = line;
    if (owner === undefined) return undefined;
    if (found === undefined && !name.includes('.'))
      return line.some(({ leftOut }) => leftOut?.includes(name))
        ? undefined
        : { name, owner: owner.name, known: properties.map((property) => property.name) };
    line = structuresOf(scope.qualify(found?.type ?? name), scope);
  }
  return undefined;
}
