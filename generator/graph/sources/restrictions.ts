import { suggestion } from '../../../runtime/errors/suggest.js';
import { shortTerm, terms } from '../../csdl/terms.js';
import { booleanValue, pathValues, numberValue, recordValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { knownPaths } from './known-paths.js';
import type { EntityNode } from '../model-graph.js';
import { pathOf } from '../values/nested-members.js';
import type { BuiltSet, BuiltType, Context } from '../built-model.js';
import type { StorageLayout } from '../storage.js';

/** The test whether a restriction of the set excludes a property from an option. */
export function excluded(
  type: BuiltType,
  set: BuiltSet,
  term: string,
  all: string,
  some: string,
  context: Context,
): (name: string) => boolean {
  const record = set.restriction(term);
  const none = !booleanValue(record?.member(all), term, true, context.report);
  // Further properties may be permitted.
  const listed = new Set(knownPaths(pathValues(record?.member(some), term, context.report), term, type, context, 'left out'));
  return (name) => none || listed.has(name);
}

/** The properties that a `$filter` must have. */
export function requiredFilter(type: BuiltType, { restriction }: BuiltSet, context: Context): readonly string[] | undefined {
  const restricted = restriction(terms.filter);
  const properties = knownPaths(
    pathValues(restricted?.member('RequiredProperties'), terms.filter, context.report),
    terms.filter,
    type,
    context,
  );
  return booleanValue(restricted?.member('RequiresFilter'), terms.filter, false, context.report) ? properties : undefined;
}

/** The test whether a navigation property may be expanded. */
export function expandability(type: BuiltType, set: BuiltSet, context: Context): (name: string) => boolean {
  const record = set.restriction(terms.expand);
  const none = !booleanValue(record?.member('Expandable'), terms.expand, true, context.report);
  const paths = pathValues(record?.member('NonExpandableProperties'), terms.expand, context.report);
  const known = [
    ...type.navigation.map(({ name }) => name),
    ...(type.definition.leftOut ?? []),
    ...[type, ...type.bases].flatMap(({ nested }) => nested.unsupported.map(pathOf)),
  ];
  for (const { at, path } of paths) {
    if (known.includes(path)) continue;
    const isFurther = path.includes('/') && context.leadsSomewhere(`${type.qualifiedName}/${path}`);
    context.report(
      isFurther
        ? faults.partOfValue(at, shortTerm(terms.expand), path, 'it is left out')
        : faults.unknownNavigation(at, shortTerm(terms.expand), path, type.name, suggestion(path, known)),
    );
  }
  return (name) => !none && !paths.some(({ path }) => path === name);
}

/** The ETag: from Core.OptimisticConcurrency or Rules.ETagSource of the type, or else from the set. */
export function etagOf(type: BuiltType, { notes, etag }: BuiltSet, context: Context): EntityNode['etag'] {
  const rows = [
    [terms.optimisticConcurrency, true],
    [terms.etagSource, false],
  ] as const;
  const found = rows.flatMap(([term, required]) => {
    const note = notes.find(term);
    if (note === undefined) return [];
    // Every change of a record changes its version.
    knownPaths(pathValues(note.value, term, context.report), term, type, context, 'same');
    return [{ required }];
  });
  return found[0] ?? etag;
}

/** The division of a set's table that Rules.StorageLayout asks for. */
export function storageLayout({ notes }: BuiltSet, { report }: Context): StorageLayout | undefined {
  const term = terms.storageLayout;
  const record = recordValue(notes.find(term)?.value, term, report);
  if (record === undefined) return undefined;
  const partitionRows = numberValue(record.member('PartitionRows'), term, report);
  const keptDays = numberValue(record.member('KeptDays'), term, report);
  return {
    at: record.at,
    distributed: booleanValue(record.member('Distributed'), term, false, report),
    ...(partitionRows !== undefined && { partitionRows }),
    ...(keptDays !== undefined && { keptDays }),
  };
}
