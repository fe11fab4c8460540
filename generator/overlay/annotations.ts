import type { Annotation, Expression } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import type { JsonValue } from '../csdl/json-tree.js';
import type { Report } from '../faults.js';
import { annotation, collection, constant, flag, listNote, path, record, type Positioned } from '../csdl/make-annotation.js';
import { OverlayObject, textsOf } from './overlay-object.js';

/** Validation.AllowedValues of a list of texts. */
export function allowedValues(at: number, values: readonly Positioned<string>[]): Annotation {
  return listNote(
    at,
    terms.allowedValues,
    values.map((value) => record(value.at, { Value: constant(value) })),
  );
}

/** Rules.StorageLayout of `"distributed"`, or of `{ partitionRows, keptDays }`. */
export function storageLayout(given: OverlayObject): readonly Annotation[] {
  if (!given.has('storage')) return [];
  const at = given.at('storage');
  if (!given.isObject('storage')) {
    const chosen = given.choice('storage', ['distributed'], '"distributed" or an object such as { "partitionRows": 1000000 }');
    return chosen === undefined ? [] : [annotation(at, terms.storageLayout, record(at, { Distributed: flag({ at, value: true }) }))];
  }
  const members = given.object('storage', ['partitionRows', 'keptDays']);
  const number = (name: string): Expression | undefined => {
    const value = members?.number(name);
    return value && { annotations: [], at: value.at, kind: 'constant', type: 'Int', value: String(value.value) };
  };
  const layout = { PartitionRows: number('partitionRows'), KeptDays: number('keptDays') };
  return [annotation(at, terms.storageLayout, record(at, layout))];
}

/** Rules.Indexes: each a name, a list of names, or an object with `properties` and `substrings`. */
export function indexes(at: number, items: readonly JsonValue[], report: Report): Annotation {
  return listNote(
    at,
    terms.indexes,
    items.flatMap((item) => indexOf(item, report)),
  );
}

// An index whose properties are no list of names has been reported, and is omitted.
function indexOf(item: JsonValue, report: Report): readonly Expression[] {
  const names = textsOf(item);
  if (names !== undefined) return [record(item.at, { Properties: collection(item.at, names.map(path)) })];
  const object = new OverlayObject(item, 'An index', ['properties', 'substrings'], report);
  const [properties, substrings] = [object.texts('properties'), object.flag('substrings')];
  if (item.kind !== 'object' || (properties === undefined && object.entries.some(({ name }) => name !== 'substrings'))) return [];
  return [
    record(item.at, {
      Properties: collection(item.at, properties?.value.map(path) ?? []),
      Substrings: substrings && flag(substrings),
    }),
  ];
}

/** Rules.Transitions of `{ allowed: [{ from, to, requires, sets, message }], unlistedAllowed }`. */
export function transitions(object: OverlayObject, at: number, report: Report): Annotation {
  const unlisted = object.flag('unlistedAllowed');
  const moves = object
    .items('allowed')
    .flatMap((item) => moveOf(new OverlayObject(item, 'A transition', ['from', 'to', 'requires', 'sets', 'message'], report), item.at));
  return annotation(at, terms.transitions, record(at, { Allowed: collection(at, moves), UnlistedAllowed: unlisted && flag(unlisted) }));
}

// A move with an invalid state has been reported, and is omitted.
function moveOf(move: OverlayObject, at: number): readonly Expression[] {
  const [from, to, requires] = [move.texts('from'), move.text('to'), move.texts('requires')];
  const [sets, message] = [move.pairs('sets'), move.text('message')];
  if ((from === undefined && move.has('from')) || (to === undefined && move.has('to'))) return [];
  return [
    record(at, {
      From: from && collection(from.at, from.value.map(constant)),
      To: to && constant(to),
      RequiredProperties: requires && collection(requires.at, requires.value.map(path)),
      Sets: sets && collection(sets.at, sets.value.map(assignment)),
      FailureMessage: message && constant(message),
    }),
  ];
}

function assignment([property, value]: readonly [Positioned<string>, Positioned<string>]): Expression {
  return record(property.at, { Property: path(property), Value: constant(value) });
}

/** The scopes of one operation, in the form of a Capabilities restriction. */
export function permissions({ at, value }: Positioned<readonly Positioned<string>[]>): Expression {
  const scopes = value.map((scope) => record(scope.at, { Scope: constant(scope) }));
  return collection(at, [record(at, { SchemeName: constant({ at, value: 'OAuth2' }), Scopes: collection(at, scopes) })]);
}

/** Rules.RowRules of `{ "scope": "condition" }`. */
export function rowRules({ at, value }: Positioned<readonly (readonly [Positioned<string>, Positioned<string>])[]>): Annotation {
  const items = value.map(([scope, filter]) => record(scope.at, { Scope: constant(scope), Filter: constant(filter) }));
  return listNote(at, terms.rowRules, items);
}

/** The annotations with a member set in their record, which is added if missing. */
export function withMember(
  annotations: readonly Annotation[],
  term: string,
  at: number,
  name: string,
  value: Expression,
  qualify: (name: string) => string,
): readonly Annotation[] {
  const index = annotations.findIndex((note) => qualify(note.term) === term && note.qualifier === undefined);
  const found = annotations[index];
  if (found?.value?.kind !== 'record') return [...annotations, annotation(at, term, record(at, { [name]: value }))];
  const members = [...found.value.members.filter(({ property }) => property !== name), { at, property: name, value, annotations: [] }];
  return annotations.with(index, { ...found, value: { ...found.value, members } });
}

/** Annotations with texts that the overlay gives an element, by the names of its members. */
export function textNotes(given: OverlayObject, ...names: readonly ('renamedFrom' | 'storage' | 'description')[]): readonly Annotation[] {
  return names.flatMap((name) => {
    const text = given.text(name);
    return text === undefined ? [] : [annotation(text.at, terms[name], constant(text))];
  });
}
