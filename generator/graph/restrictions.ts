import type { Permission } from '../../runtime/edm/index.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import { shortTerm, terms } from '../csdl/terms.js';
import { booleanValue, pathValues } from '../csdl/vocabulary.js';
import { faults } from '../faults.js';
import { knownPaths, pathFault, withoutCast } from './build-rules.js';
import type { BuiltSet } from './build-set.js';
import type { BuiltType } from './build-type.js';
import type { Context } from './context.js';
import type { EntityNode } from './model-graph.js';

/** Tells which properties a restriction of the set takes an option from. */
export function excluded(type: BuiltType, set: BuiltSet, term: string, all: string, some: string, context: Context): (name: string) => boolean {
  const record = set.restriction(term);
  const none = !booleanValue(record?.member(all), term, true, context.report);
  const listed = new Set(knownPaths(pathValues(record?.member(some), term, context.report), term, type, context));
  return (name) => none || listed.has(name);
}

/** The properties that a `$filter` must have. */
export function requiredFilter(type: BuiltType, { restriction }: BuiltSet, context: Context): readonly string[] | undefined {
  const said = restriction(terms.filter);
  const properties = knownPaths(pathValues(said?.member('RequiredProperties'), terms.filter, context.report), terms.filter, type, context);
  return booleanValue(said?.member('RequiresFilter'), terms.filter, false, context.report) ? properties : undefined;
}

/** Tells which navigation properties may be expanded. */
export function expandability(type: BuiltType, set: BuiltSet, context: Context): (name: string) => boolean {
  const record = set.restriction(terms.expand);
  const none = !booleanValue(record?.member('Expandable'), terms.expand, true, context.report);
  const paths = pathValues(record?.member('NonExpandableProperties'), terms.expand, context.report);
  const known = [...type.navigation.map(({ name }) => name), ...type.itemNavigation.map(({ path }) => path)];
  for (const { at, path } of paths) {
    if (!known.includes(path)) context.report(faults.unknownNavigation(at, shortTerm(terms.expand), path, type.name, suggestion(path, known)));
  }
  return (name) => !none && !paths.some(({ path }) => path === name);
}

/** The permissions, with properties that the type has. */
export function checkedPermissions(type: BuiltType, { permissions, at }: BuiltSet, context: Context): BuiltSet['permissions'] {
  const names: readonly string[] = [...type.fields.keys(), ...type.streams.keys(), ...type.navigation.map(({ name }) => name)];
  const known = ({ except, ...permission }: Permission): Permission => ({
    ...permission,
    except: except.flatMap((path) => {
      const name = withoutCast(path, type, context);
      if (name !== undefined && !names.includes(name)) context.report(name.includes('/') ? pathFault(at, 'RestrictedProperties', name, type) : faults.unknownProperty(at, 'RestrictedProperties', name, type.name, suggestion(name, names)));
      return name ?? [];
    }),
  });
  const { read, insert, update, delete: remove } = permissions;
  return { read: read?.map(known), insert: insert?.map(known), update: update?.map(known), delete: remove?.map(known) };
}

/** ETags as by Core.OptimisticConcurrency or Rules.ETagSource of the type, or else as the set says. */
export function etagOf(type: BuiltType, { notes, etag }: BuiltSet, context: Context): EntityNode['etag'] {
  const rows = [[terms.optimisticConcurrency, true], [terms.etagSource, false]] as const;
  const found = rows.flatMap(([term, required]) => {
    const note = notes.find(term);
    if (note === undefined) return [];
    knownPaths(pathValues(note.value, term, context.report), term, type, context);
    return [{ required }];
  });
  return found[0] ?? etag;
}
