import type { NavigationProperty, StructuredType } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import type { Notes } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { buildFields } from '../values/build-fields.js';
import { buildStreams } from '../values/build-streams.js';
import { distinctNames, storedKinds } from '../names/distinct-names.js';
import { databaseName, internalColumns, storageName } from '../names/names.js';
import { asRecordProperty, nestedNavigation } from '../values/nested-kinds.js';
import { keyOf } from '../keys/build-key.js';
import type { BuiltField, Context, BuiltType, BuiltTypes, Lineage, BuiltFields } from '../built-model.js';

/** The entity types by qualified name, base types first. */
export function buildTypes(lineages: ReadonlyMap<string, Lineage>, context: Context): BuiltTypes {
  const types = new Map<string, BuiltType>();
  const columns = new Map<string, Set<string>>();
  const distinct = distinctNames(context.csdl, storedKinds);
  for (const [name, lineage] of lineages) {
    const taken = columns.get(lineage.root ?? name) ?? new Set<string>(internalColumns);
    columns.set(lineage.root ?? name, taken);
    types.set(name, buildType(name, distinct.get(name) ?? lineage.definition.name, lineage, types, taken, context));
  }
  return types;
}

function buildType(qualifiedName: string, name: string, line: Lineage, types: BuiltTypes, taken: Set<string>, context: Context): BuiltType {
  const { definition, bases: names, root } = line;
  const bases = names.flatMap((base) => types.get(base) ?? []);
  const [base] = bases;
  const notes = context.notesOf(qualifiedName, definition.annotations);
  if (root !== undefined && root !== qualifiedName) refuseStorage(definition, notes, root, context);
  const own = withColumns(buildFields(definition, qualifiedName, context), name, base, taken);
  const fields = new Map([...(base?.fields ?? []), ...own]);
  refuseSecondKey(definition, base, context);
  const { nested: nestedLinks, ...navigation } = navigationOf({ definition, bases }, own, context);
  const { nested: nestedBytes, ...streams } = buildStreams({ type: definition, qualifiedName, notes, own }, base, taken, context);
  return {
    definition: withInherited(definition, base),
    name,
    qualifiedName,
    table: (root === qualifiedName ? undefined : types.get(root ?? '')?.table) ?? tableOf(name, notes, context),
    root,
    bases,
    ...keyOf(line, base, fields, root === qualifiedName, context),
    own,
    fields,
    ...streams,
    ...navigation,
    nested: {
      single: [...nestedLinks.single, ...nestedBytes.single],
      unsupported: [...nestedLinks.unsupported, ...nestedBytes.unsupported],
    },
    numberColumns: numberColumns(name, navigation.ownNavigation, base, taken),
    notes,
  };
}

type Navigation = Pick<BuiltType, 'ownNavigation' | 'navigation'> & { readonly nested: ReturnType<typeof nestedNavigation> };

function navigationOf({ definition, bases }: Pick<BuiltType, 'definition' | 'bases'>, added: BuiltFields, context: Context): Navigation {
  const [base] = bases;
  const declared = definition.properties.filter((property) => property.kind === 'NavigationProperty');
  const nested = nestedNavigation(definition, added, context);
  const ofValues = nested.single.map((one) => asRecordProperty(one, context));
  const ownNavigation = [...declared, ...ofValues];
  return {
    ownNavigation,
    navigation: [...(base?.navigation ?? []), ...ownNavigation],
    nested,
  };
}

// Inherited members come first.
function withInherited(definition: StructuredType, base: BuiltType | undefined): StructuredType {
  const { openType = false, properties = [], leftOut = [] } = base?.definition ?? {};
  return {
    ...definition,
    openType: definition.openType || openType,
    properties: [...properties, ...definition.properties],
    leftOut: [...leftOut, ...(definition.leftOut ?? [])],
  };
}

function tableOf(name: string, notes: Notes, context: Context): string {
  return storageName(notes, `Entity type ${name}`, context) ?? databaseName(name);
}

function refuseStorage({ name }: StructuredType, notes: Notes, root: string, { report }: Context): void {
  const note = notes.find(terms.storage);
  if (note) report(faults.storageName(note.at, `Entity type ${name}`, 'its own table', `its rows are in that of ${root}`));
}

// Types that share a table may have properties of one name: the one that came first has the plain column.
function withColumns(own: BuiltFields, owner: string, base: BuiltType | undefined, taken: Set<string>): BuiltFields {
  const inherited = [...(base?.fields.values() ?? [])].map(({ column }) => column);
  for (const column of inherited) taken.add(column);
  return new Map(
    [...own].map(([name, built]) => {
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

// A derived type cannot declare a key again (CSDL XML 4.01, 6.5); Dynamics repeats the inherited one.
function refuseSecondKey({ name, at, keys: [key] }: StructuredType, base: BuiltType | undefined, { report }: Context): void {
  if (base === undefined || base.key.length === 0 || key === undefined) return;
  const place = key[0]?.at ?? at;
  const repeats = key.length === base.key.length && key.every((ref) => base.key.includes(ref.alias ?? ref.name));
  report(repeats ? faults.repeatedKey(place, name) : faults.duplicate(place, 'its inherited key', `Entity type ${name}`));
}
