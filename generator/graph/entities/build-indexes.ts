import { type Field, primitives } from '../../../runtime/edm/index.js';
import { terms } from '../../csdl/terms.js';
import { booleanValue, pathValues, recordValues } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { knownPaths, withoutCast } from '../sources/known-paths.js';
import type { EntityNode } from '../model-graph.js';
import type { BuiltSet, BuiltType, Context } from '../built-model.js';

/** The indexes that Rules.Indexes asks for. */
export function indexesOf(type: BuiltType, { notes }: BuiltSet, context: Context): EntityNode['indexes'] {
  const { report } = context;
  return recordValues(notes.find(terms.indexes)?.value, terms.index, report).flatMap((item) => {
    const listed = item.member('Properties');
    const paths = pathValues(listed, terms.index, report);
    if (listed === undefined || (listed.kind === 'collection' && listed.items.length === 0)) {
      report(faults.notSupported(item.at, 'An index without properties', 'List its properties, or remove it.'));
      return [];
    }
    const names = knownPaths(paths, terms.indexes, type, context, 'left out');
    // An index of a derived type's properties is that type's to make.
    if (paths.some(({ path }) => withoutCast(path, type, context) === undefined)) return [];
    const special = names.filter((name) => type.fields.has(name) && !isSortable(type.fields.get(name)?.field as Field));
    const mixed = `An index of ${special.join(' and ')} with other properties`;
    if (names.length > 1 && special.length > 0)
      report(faults.notSupported(item.at, mixed, 'Give a collection or a point a separate index.'));
    const substrings = booleanValue(item.member('Substrings'), terms.index, false, report);
    if (substrings && !isOneText(names, type)) {
      report(faults.notSupported(item.at, `An index of the substrings of ${names.join(' and ')}`, 'Name one property of type Edm.String.'));
    }
    return names.length === 0 ? [] : [{ names, substrings }];
  });
}

function isOneText([name = '', ...others]: readonly string[], { fields }: BuiltType): boolean {
  const field = fields.get(name)?.field;
  return others.length === 0 && field?.type === 'Edm.String' && !field.collection;
}

// Values that may be of several types have the order of JSON values, as dynamic properties have.
function isSortable({ type, collection }: Field): boolean {
  return !collection && (primitives[type].ordered || type === 'Edm.Untyped');
}
