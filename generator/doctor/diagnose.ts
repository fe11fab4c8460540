import type { Csdl, NavigationProperty, Property, StructuredType } from '../csdl/csdl.js';
import { elementsOf } from '../csdl/map-elements.js';
import type { InspectedModel } from '../generate.js';
import type { Diagnostic } from '../model-error.js';
import { recoveries } from '../policy.js';
import { namesOf, type Names } from '../repair/names.js';
import { grouped } from '../../runtime/edm/grouped.js';

/** A finding for a property of a type. */
interface Found<Item> {
  readonly diagnostic: Diagnostic;
  /** Qualified name of the type. */
  readonly type: string;
  readonly property: Item;
}

/** An inferred join; the names that hold the key are on the left. */
export interface Inferred extends Found<NavigationProperty> {
  readonly rule: string;
  readonly pairs: readonly (readonly [string, string])[];
}

/** A navigation property without a join, and candidates for one. */
export interface Undecided extends Found<NavigationProperty> {
  readonly target: string;
  /** Properties of the side that would hold the key, which have the key's type. */
  readonly candidates: readonly (readonly [string, string])[];
}

/** An undefined type, and the properties that use it. */
interface UndefinedType {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The findings of a model, for the report and for the overlay's skeleton. */
export interface Diagnosis {
  readonly inferred: readonly Inferred[];
  readonly undecided: readonly Undecided[];
  readonly undefinedTypes: readonly UndefinedType[];
  readonly nullableKeys: readonly Found<Property>[];
  /** All other findings that lenient mode recovers from, by code. */
  readonly others: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly refused: readonly Diagnostic[];
}

const undefinedCodes = ['CSDL013', 'CSDL014'];

const withOwnList = new Set([...undefinedCodes, 'CSDL017', 'CSDL027', 'CSDL085']);

/** Sorts the findings of a model by the action that they need. */
export function diagnose({ written, documents, diagnostics }: Pick<InspectedModel, 'written' | 'documents' | 'diagnostics'>): Diagnosis {
  const before = propertiesOf(written);
  const after = propertiesOf(documents.main);
  const names = namesOf(documents.main, []);
  const of = (code: string): readonly Diagnostic[] =>
    diagnostics.filter((diagnostic) => diagnostic.code === code && diagnostic.severity === 'warning');
  // The undefined type of a navigation property, a parameter or a result is no list of values.
  const isListed = ({ code, at }: Diagnostic): boolean =>
    withOwnList.has(code) && (!undefinedCodes.includes(code) || before.get(at)?.property.kind === 'Property');
  const others = diagnostics.filter((diagnostic) => diagnostic.severity === 'warning' && !isListed(diagnostic));
  return {
    inferred: of('CSDL085').flatMap((diagnostic) => inferredOf(diagnostic, after)),
    undecided: of('CSDL027').flatMap((diagnostic) => undecidedOf(diagnostic, after, names)),
    undefinedTypes: undefinedTypes(undefinedCodes.flatMap(of), before, written),
    nullableKeys: of('CSDL017').flatMap((diagnostic) => {
      const found = before.get(diagnostic.at);
      return found?.property.kind === 'Property' ? [{ diagnostic, type: found.type, property: found.property }] : [];
    }),
    others: grouped(others, ({ code }) => code),
    refused: diagnostics.filter(({ severity }) => severity === 'error'),
  };
}

/** Whether properties may hold the key, so that somebody who knows the data has to decide. */
export function isOpen({ candidates }: Undecided): boolean {
  return candidates.length > 0;
}

/** The recovery of lenient mode from a code. */
export function recoveryOf(code: string): string {
  return recoveries.get(code) ?? '';
}

interface Placed {
  readonly type: string;
  readonly property: Property | NavigationProperty;
}

function propertiesOf(csdl: Csdl): ReadonlyMap<number, Placed> {
  const types = elementsOf(csdl, 'EntityType', 'ComplexType');
  return new Map(types.flatMap(({ name, element }) => element.properties.map((property) => [property.at, { type: name, property }])));
}

function inferredOf(diagnostic: Diagnostic, properties: ReadonlyMap<number, Placed>): readonly Inferred[] {
  const found = properties.get(diagnostic.at);
  if (found?.property.kind !== 'NavigationProperty') return [];
  const { type, property } = found;
  const pairs = (property.joinedBy ?? property.constraints).map((pair) => [pair.property, pair.referencedProperty] as const);
  return [{ diagnostic, type, property, rule: diagnostic.inferred?.rule ?? '', pairs }];
}

function undecidedOf(diagnostic: Diagnostic, properties: ReadonlyMap<number, Placed>, names: Names): readonly Undecided[] {
  const found = properties.get(diagnostic.at);
  if (found?.property.kind !== 'NavigationProperty') return [];
  const { type, property } = found;
  const target = names.qualify(property.type);
  const [holder, held] = (property.collection ? [target, type] : [type, target]).map((name) => names.elements.get(name));
  return [
    {
      diagnostic,
      type,
      property,
      target,
      candidates: holder?.kind === 'EntityType' && held?.kind === 'EntityType' ? candidatesOf(holder, held, property.name) : [],
    },
  ];
}

// Properties with the key's type that are named after the type with the key, after the navigation property, or after
// records in general.
function candidatesOf(holder: StructuredType, held: StructuredType, navigation: string): Undecided['candidates'] {
  const [ref, second] = held.keys[0] ?? [];
  const key = plain(held).find(({ name }) => name === ref?.name);
  if (key === undefined || second !== undefined) return [];
  const own = new Set((holder.keys[0] ?? []).map(({ name }) => name));
  const fitting = plain(holder).filter(
    ({ name, type, collection }) => !collection && type === key.type && !own.has(name) && /.(Key|Id|ID)$/.test(name),
  );
  const ranked = fitting
    .map(({ name }) => ({ name, rank: rankOf(name, held.name, navigation) }))
    .filter(({ rank }) => rank < unlike)
    .sort((a, b) => a.rank - b.rank);
  return ranked.slice(0, mostCandidates).map(({ name }) => [name, key.name] as const);
}

const mostCandidates = 3;

const unlike = 4;

// Names that contain the other type's name come first, then those that name an entity in general.
function rankOf(name: string, type: string, navigation: string): number {
  if (name.includes(type)) return 0;
  if (/^(Resource)?Record(Key|Id|ID)$/.test(name)) return name.endsWith('Key') ? 1 : 2;
  const stem = name.replace(/(Key|Id|ID)$/, '').toLowerCase();
  return navigation.toLowerCase().includes(stem) || stem.includes(navigation.toLowerCase()) ? 3 : unlike;
}

function plain({ properties }: StructuredType): readonly Property[] {
  return properties.filter((property) => property.kind === 'Property');
}

function undefinedTypes(diagnostics: readonly Diagnostic[], properties: ReadonlyMap<number, Placed>, csdl: Csdl): readonly UndefinedType[] {
  const { qualify } = namesOf(csdl, []);
  const ofProperties = diagnostics.filter(({ at }) => properties.get(at)?.property.kind === 'Property');
  const byName = grouped(ofProperties, ({ at }) => qualify(properties.get(at)?.property.type ?? ''));
  return [...byName].map(([name, all]) => ({ name, diagnostics: all }));
}
