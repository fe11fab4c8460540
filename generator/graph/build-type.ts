import { misspeltName } from './misspelt-path.js';
import { withArms, withItemArms, type RootOf } from './any-navigation.js';
import type { NavigationProperty, PropertyRef, StructuredType } from '../csdl/csdl.js';
import type { RecursiveValues } from '../../runtime/edm/index.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import { terms } from '../csdl/terms.js';
import type { Notes } from '../csdl/vocabulary.js';
import { faults, type Report } from '../faults.js';
import { buildFields, type BuiltField } from './build-fields.js';
import { buildStreams } from './build-streams.js';
import type { Context } from './context.js';
import type { Lineage } from './hierarchy.js';
import type { StreamNode } from './model-graph.js';
import { distinctNames, storedKinds } from './distinct-names.js';
import { databaseName, internalColumns, isIdentifier } from './names.js';
import { isNarrower, narrowedBy } from './narrowed-properties.js';
import { nestedNavigation, type ItemProperty } from './nested-navigation.js';
import { hasOwnFault, isPartial } from './own-fault.js';
import { hiddenColumn, keyTypes, pathColumn, type PathColumn } from './path-column.js';
import { storageName } from './storage-name.js';

/** An entity type before relations and sets are known. */
export interface BuiltType {
  /** With the properties that it inherits. */
  readonly definition: StructuredType;
  /** Its own name, or with its namespace where types of several schemas have it. */
  readonly name: string;
  readonly qualifiedName: string;
  readonly table: string;
  /** The type whose table has its records, where they are in one. */
  readonly root: string | undefined;
  /** The types that it derives from, the nearest first. */
  readonly bases: readonly BuiltType[];
  readonly key: readonly string[];
  /** By their names in the key, the properties of it that lie within complex values. */
  readonly keyColumns: ReadonlyMap<string, PathColumn>;
  /** The properties that it declares itself. */
  readonly own: ReadonlyMap<string, BuiltField>;
  /** Inherited properties first. */
  readonly fields: ReadonlyMap<string, BuiltField>;
  /** Media streams by name, inherited ones first. */
  readonly streams: ReadonlyMap<string, StreamNode>;
  /** Those of the items of its collections, by path. */
  readonly itemStreams: ReadonlyMap<string, StreamNode>;
  /** The navigation properties that it declares itself, and those of its complex values by their paths. */
  readonly ownNavigation: readonly NavigationProperty[];
  readonly navigation: readonly NavigationProperty[];
  /** By name, those that stand for inherited ones: they lead to records of a derived type only. */
  readonly narrowed: ReadonlyMap<string, NavigationProperty>;
  /** What the items of its collections lead to, inherited ones first. */
  readonly itemNavigation: readonly ItemProperty[];
  /** Those of its own collections. */
  readonly ownItems: readonly ItemProperty[];
  /** Its complex values that lie within others of their type, as the runtime knows them. */
  readonly recursiveValues: RecursiveValues;
  /** By navigation property, the column that would hold the number of the record that it leads to. */
  readonly numberColumns: ReadonlyMap<string, string>;
  readonly notes: Notes;
}

/** Every entity type by qualified name. */
export type BuiltTypes = ReadonlyMap<string, BuiltType>;

/** Every entity type by qualified name, each behind the type that it derives from. */
export function buildTypes(lineages: ReadonlyMap<string, Lineage>, context: Context): BuiltTypes {
  const types = new Map<string, BuiltType>();
  const columns = new Map<string, Set<string>>();
  const distinct = distinctNames(context.csdl, storedKinds);
  for (const [name, lineage] of lineages) {
    const taken = columns.get(lineage.root ?? name) ?? new Set<string>(internalColumns);
    columns.set(lineage.root ?? name, taken);
    types.set(
      name,
      buildType(
        name,
        distinct.get(name) ?? lineage.definition.name,
        lineage,
        { types, rootOf: (one) => lineages.get(one)?.root },
        taken,
        context,
      ),
    );
  }
  return types;
}

/** The types that are built already, and the tables of all. */
interface Building {
  readonly types: ReadonlyMap<string, BuiltType>;
  readonly rootOf: RootOf;
}

function buildType(
  qualifiedName: string,
  name: string,
  lineage: Lineage,
  { types, rootOf }: Building,
  taken: Set<string>,
  context: Context,
): BuiltType {
  const { definition, bases: names, root } = lineage;
  const bases = names.flatMap((base) => types.get(base) ?? []);
  const [base] = bases;
  const notes = context.notesOf(qualifiedName, definition.annotations);
  if (root !== undefined && root !== qualifiedName) refuseStorage(definition, notes, root, context);
  const own = withColumns(buildFields(definition, qualifiedName, context), name, base, taken);
  const fields = new Map([...(base?.fields ?? []), ...own]);
  const merged = {
    ...definition,
    openType: definition.openType || (base?.definition.openType ?? false),
    properties: [
      ...(base?.definition.properties ?? []).filter(({ name: one }) => !definition.properties.some((property) => property.name === one)),
      ...definition.properties,
    ],
    leftOut: [...(base?.definition.leftOut ?? []), ...(definition.leftOut ?? [])],
  };
  refuseRepeated(definition, base, context);
  // What stands for an inherited property is stored with that, and leads where that does.
  const added = new Map([...own].filter(([, { field }]) => !field.narrows));
  const narrowed = definition.properties.filter(
    (property): property is NavigationProperty =>
      property.kind === 'NavigationProperty' && base?.navigation.some((other) => other.name === property.name) === true,
  );
  const nested = nestedNavigation(definition, added, context);
  const owner = { name: qualifiedName, isMedia: [definition, ...bases.map((one) => one.definition)].some(({ hasStream }) => hasStream) };
  const ownNavigation = [
    ...definition.properties.filter(
      (property): property is NavigationProperty => property.kind === 'NavigationProperty' && !narrowed.includes(property),
    ),
    ...nested.properties,
  ].flatMap((property) => withArms(property, owner, rootOf, context));
  const ownItems = nested.items.flatMap((item) => withItemArms(item, owner, rootOf, context));
  const { again, ...streams } = buildStreams({ type: definition, qualifiedName, notes, own: added }, base, taken, context);
  return {
    definition: merged,
    name,
    qualifiedName,
    table: (root === qualifiedName ? undefined : types.get(root ?? '')?.table) ?? tableOf(name, notes, context),
    root,
    bases,
    ...keyOf(lineage, base, fields, root === qualifiedName, context),
    own,
    fields,
    ...streams,
    ownNavigation,
    narrowed: new Map([...(base?.narrowed ?? []), ...narrowed.map((property) => [property.name, property] as const)]),
    navigation: [...(base?.navigation ?? []), ...ownNavigation],
    itemNavigation: [...(base?.itemNavigation ?? []), ...ownItems],
    ownItems,
    recursiveValues: { ...base?.recursiveValues, ...nested.again, ...again },
    numberColumns: numberColumns(name, ownNavigation, base, taken),
    notes,
  };
}

function tableOf(name: string, notes: Notes, context: Context): string {
  return storageName(notes, `Entity type ${name}`, context) ?? databaseName(name);
}

function refuseStorage({ name }: StructuredType, notes: Notes, root: string, { report }: Context): void {
  const note = notes.find(terms.storage);
  if (note) report(faults.storageName(note.at, `Entity type ${name}`, 'a table of its own', `its records are in that of ${root}`));
}

// Types that share a table may have properties of one name: the one that came first has the plain column.
function withColumns(
  own: ReadonlyMap<string, BuiltField>,
  owner: string,
  base: BuiltType | undefined,
  taken: Set<string>,
): ReadonlyMap<string, BuiltField> {
  const inherited = [...(base?.fields.values() ?? [])].map(({ column }) => column);
  for (const column of inherited) taken.add(column);
  return new Map(
    [...own].map(([name, built]) => {
      const narrowed = base?.fields.get(name);
      if (narrowed !== undefined) return [name, narrowedBy(built, narrowed)];
      if (base === undefined || !taken.has(built.column)) return [name, noted(built, taken)];
      const column = databaseName(`${owner}.${name}`);
      return [name, noted({ ...built, column, field: { ...built.field, column } }, taken)];
    }),
  );
}

// Likewise of navigation properties: `#Boss`, and of a second one `#Type.Boss`.
function numberColumns(
  owner: string,
  own: readonly NavigationProperty[],
  base: BuiltType | undefined,
  taken: Set<string>,
): ReadonlyMap<string, string> {
  const inherited = [...(base?.numberColumns ?? [])];
  for (const [, column] of inherited) taken.add(column);
  return new Map([
    ...inherited,
    ...own.map(({ name }): readonly [string, string] => {
      const plain = databaseName(`#${name}`);
      const column = taken.has(plain) ? databaseName(`#${owner}.${name}`) : plain;
      taken.add(column);
      return [name, column];
    }),
  ]);
}

function noted(built: BuiltField, taken: Set<string>): BuiltField {
  taken.add(built.column);
  return built;
}

// CSDL XML 4.01, 6.5, 7 and 8: a derived type cannot give a key anew, and a property only with a type that derives from the one that it had.
function refuseRepeated({ name, at, properties, keys }: StructuredType, base: BuiltType | undefined, { scope, report }: Context): void {
  for (const property of properties) {
    const inherited = base?.definition.properties.find((other) => other.name === property.name);
    if (inherited !== undefined && !isNarrower(property, inherited, scope))
      report(faults.duplicate(property.at, `its inherited property ${property.name}`, `Entity type ${name}`));
  }
  if (base !== undefined && base.key.length > 0 && keys.length > 0)
    report(faults.duplicate(keys[0]?.[0]?.at ?? at, 'its inherited key', `Entity type ${name}`));
}

type Key = Pick<BuiltType, 'key' | 'keyColumns'>;

const noKey: Key = { key: [], keyColumns: new Map() };

function keyOf(
  { definition, alone, root }: Lineage,
  base: BuiltType | undefined,
  fields: ReadonlyMap<string, BuiltField>,
  hasTable: boolean,
  context: Context,
): Key {
  if (base !== undefined && base.key.length > 0) return { key: base.key, keyColumns: base.keyColumns };
  // One that was declared has its fault.
  if (definition.keys.length === 0 && base !== undefined && [base, ...base.bases].some((one) => one.definition.keys.length > 0))
    return noKey;
  // An abstract type without a table may leave the key to those that derive from it; what is in no table at all needs none.
  if (definition.keys.length === 0 && ((definition.abstract && !hasTable) || root === undefined)) return noKey;
  // CSDL XML 4.01, 6.5: what stands alone is told by its place.
  if (definition.keys.length === 0 && alone) return noKey;
  // The base type that is not known may have it.
  if (definition.keys.length === 0 && isPartial({ definition, bases: base ? [base, ...base.bases] : [] })) return noKey;
  return buildKey(definition, fields, context);
}

function buildKey(type: StructuredType, fields: ReadonlyMap<string, BuiltField>, context: Context): Key {
  const { report } = context;
  const [key, second] = type.keys;
  if (key === undefined || key.length === 0) {
    // The keys of types that derive from it would tell records of each apart, and not those of all (CSDL XML 4.01, 6.5).
    if (type.abstract)
      report(
        faults.missingKey(
          type.at,
          type.name,
          ', and a set, a singleton or a navigation property leads to records of it, which is abstract: those that derive from it would have no key in common',
          'Give it the key that they share, or let what leads there lead to one of them.',
        ),
      );
    else report(faults.missingKey(type.at, type.name, '', ''));
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

function keyProperty(
  { name, alias, at }: PropertyRef,
  type: StructuredType,
  fields: ReadonlyMap<string, BuiltField>,
  report: Report,
): readonly string[] {
  if (alias !== undefined) report(faults.keyAlias(at, type.name, name, 'has an alias, which only a path may have', 'Leave the Alias out.'));
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
  { type, fields }: { readonly type: StructuredType; readonly fields: ReadonlyMap<string, BuiltField> },
  context: Context,
): PathColumn | undefined {
  const wrong = (why: string, hint: string): undefined => context.report(faults.keyAlias(at, type.name, name, why, hint)) as undefined;
  if (alias === undefined || !isIdentifier(alias))
    return wrong('is a path without a name of its own', 'Add Alias="..." with an OData identifier.');
  if (fields.has(alias)) return wrong(`has the alias ${alias}, which is a property`, 'Choose another Alias.');
  const found = hiddenColumn(name, fields) ?? pathColumn(name, fields, context);
  if (found === undefined && hasOwnFault(name, { definition: type, fields }, context)) return undefined;
  const misspelt = found ? undefined : misspeltName(name, type, context.scope);
  if (misspelt)
    return wrong(
      `names ${misspelt.name}, which ${misspelt.owner} has not`,
      suggestion(misspelt.name, misspelt.known) || 'Correct the path.',
    );
  // Of a related record the key is all of the other's, or none: with one part misspelt none of them is right.
  if (!found && key.some((other) => other.name.split('/')[0] === name.split('/')[0] && misspeltName(other.name, type, context.scope)))
    return undefined;
  if (found === undefined)
    return wrong(
      'leads to no value that can be a key',
      'Name a property of a type that a key may have, in a single complex value; or all of the key of what a navigation property with Nullable="false" leads to, which within a complex value needs a ReferentialConstraint for each part.',
    );
  if (found.field.nullable) context.report(faults.nullableKey(found.property.at, type.name, name));
  return found;
}

function checkKeyField({ property, field }: BuiltField, owner: string, report: Report): void {
  if (field.nullable) report(faults.nullableKey(property.at, owner, property.name));
  if (field.type === 'Edm.PrimitiveType')
    report(faults.abstractType(property.at, `The key property ${owner}/${property.name}`, field.type));
  else if (field.collection) report(faults.keyType(property.at, owner, property.name, 'a collection'));
  else if (!keyTypes.has(field.type)) report(faults.keyType(property.at, owner, property.name, field.type));
}
