import type { ChangeEvents, ChangeTracking } from '../../../runtime/edm/change-log.js';
import { suggestion } from '../../../runtime/errors/suggest.js';
import { shortTerm, terms } from '../../csdl/terms.js';
import { booleanValue, pathValue, pathValues, recordValue, type RecordValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import type { BuiltSet, BuiltType, Context } from '../built-model.js';
import type { Place } from '../storage.js';
import { knownPaths } from './known-paths.js';

/** The tracking of an entity set; undefined for other entity sources, and where the model does not ask for it. */
export function changeTracking(
  type: BuiltType,
  place: Place | undefined,
  { restriction }: BuiltSet,
  context: Context,
): ChangeTracking | undefined {
  const record = place?.kind === 'EntitySet' ? restriction(terms.changeTracking) : undefined;
  if (record === undefined || !booleanValue(record.member('Supported'), terms.changeTracking, true, context.report)) return undefined;
  const filterable = record.member('FilterableProperties');
  const paths = pathValues(filterable, terms.changeTracking, context.report);
  return {
    ...(filterable !== undefined && { filterable: knownPaths(paths, terms.changeTracking, type, context) }),
    expandable: expandableNames(record, type, context),
  };
}

function expandableNames(record: RecordValue, type: BuiltType, { report }: Context): readonly string[] {
  const known = type.navigation.map(({ name }) => name);
  return pathValues(record.member('ExpandableProperties'), terms.changeTracking, report).flatMap(({ at, path }) => {
    if (known.includes(path)) return [path];
    report(faults.unknownNavigation(at, shortTerm(terms.changeTracking), path, type.name, suggestion(path, known)));
    return [];
  });
}

/** The types of the properties that Rules.ChangeEvents names, and whether they may be null. */
const eventMembers: readonly (readonly [member: EventMember, type: string, nullable: boolean])[] = [
  ['Sequence', 'Edm.Int64', false],
  ['Set', 'Edm.String', false],
  ['Key', 'Edm.String', false],
  ['Url', 'Edm.String', true],
];

type EventMember = 'Sequence' | 'Set' | 'Key' | 'Url';

/** The properties of the changes that Rules.ChangeEvents makes the entities of a set; faults are reported. */
export function changeEvents(type: BuiltType, place: Place | undefined, set: BuiltSet, { report }: Context): ChangeEvents | undefined {
  const record =
    place?.kind === 'EntitySet' ? recordValue(set.notes.find(terms.changeEvents)?.value, terms.changeEvents, report) : undefined;
  if (place === undefined || record === undefined) return undefined;
  const refuse = (why: string, hint: string): undefined => void report(faults.changeLog(record.at, place.name, why, hint));
  const writable = 'has the changes of other sets (Rules.ChangeEvents), but can be written';
  if (set.routes.some(({ method }) => method !== 'GET'))
    return refuse(writable, 'Forbid it: InsertRestrictions, UpdateRestrictions and DeleteRestrictions.');
  if (set.notes.find(terms.rowRules) !== undefined)
    return refuse('has row filters, but shows the changes of the records that its caller sees', 'Remove Rules.RowRules.');
  const named: { [Member in EventMember]?: string } = {};
  for (const [member, wanted, nullable] of eventMembers) {
    const path = pathValue(record.member(member), terms.changeEvents, report)?.path;
    if (path === undefined && member === 'Url') continue;
    const field = type.fields.get(path ?? '')?.field;
    const nulls = nullable ? 'that may be null' : 'that is never null';
    const hint = path === undefined ? `Name it: PropertyPath="..." as ${member}.` : `Correct ${path}, or name another property.`;
    if (path === undefined || field?.type !== wanted || field.collection === true || (field.nullable ?? false) !== nullable)
      return refuse(`needs a property ${nulls} of the type ${wanted} as ${member} (Rules.ChangeEvents)`, hint);
    named[member] = path;
  }
  const { Sequence: sequence = '', Set: setName = '', Key: key = '', Url: url } = named;
  const other = [...type.fields.keys(), ...type.streams.keys(), ...type.navigation.map(({ name }) => name)].find(
    (name) => ![sequence, setName, key, url].includes(name),
  );
  if (other !== undefined) return refuse(`has the property ${other}, which the change log does not have`, 'Remove it from the type.');
  if (type.key.length !== 1 || type.key[0] !== sequence)
    return refuse(`needs the key ${sequence}, the number of a change`, 'Make it the only key property.');
  return { sequence, set: setName, key, ...(url !== undefined && { url }) };
}
