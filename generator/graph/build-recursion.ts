import type { RecursiveHierarchies } from '../../runtime/edm/index.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import { shortTerm, terms } from '../csdl/terms.js';
import { pathValue, recordValue } from '../csdl/vocabulary.js';
import type { Annotation } from '../csdl/csdl.js';
import { faults } from '../faults.js';
import type { BuiltType } from './build-type.js';
import type { Context } from './context.js';

/** The recursive hierarchies of a type (Data Aggregation 5.5.1) by qualifier; undefined without any. */
export function buildRecursion(type: BuiltType, context: Context): RecursiveHierarchies | undefined {
  // Annotations of base types apply as well; the type's own come last.
  const notes = [...type.bases.toReversed(), type].flatMap((one) => one.notes.qualified(terms.recursiveHierarchy));
  const found = notes.flatMap((note) => hierarchyOf(note, type, context));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

// Nested identifiers and parents are valid, but not supported.
function hierarchyOf(note: Annotation, type: BuiltType, { report }: Context): readonly (readonly [string, RecursiveHierarchies[string]])[] {
  const term = terms.recursiveHierarchy;
  const record = recordValue(note.value, term, report);
  const node = pathValue(record?.member('NodeProperty'), term, report);
  const parent = pathValue(record?.member('ParentNavigationProperty'), term, report);
  if (node === undefined || parent === undefined || node.path.includes('/') || parent.path.includes('/')) return [];
  if (!type.fields.has(node.path))
    report(faults.unknownProperty(node.at, shortTerm(term), node.path, type.name, suggestion(node.path, type.fields.keys())));
  const names = type.navigation.map(({ name }) => name);
  if (!names.includes(parent.path))
    report(faults.unknownNavigation(parent.at, shortTerm(term), parent.path, type.name, suggestion(parent.path, names)));
  return [[note.qualifier ?? '', { node: node.path, parent: parent.path }]];
}
