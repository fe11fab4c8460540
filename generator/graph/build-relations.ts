import type { Navigation } from '../../runtime/edm/index.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import type { NavigationProperty } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { faults } from '../faults.js';
import { descriptionOf } from './build-fields.js';
import type { BuiltType } from './build-type.js';
import type { Context } from './context.js';
import type { NavigationNode, Relation } from './model-graph.js';
import { databaseName } from './names.js';

/** Every entity type by qualified name. */
export type BuiltTypes = ReadonlyMap<string, BuiltType>;

/** The navigation properties that a type declares itself, with the columns that join them. */
export function buildNavigation(type: BuiltType, types: BuiltTypes, context: Context): readonly NavigationNode[] {
  return type.ownNavigation.flatMap((property): readonly NavigationNode[] => {
    const target = targetOf(property, type, types, context);
    if (target === undefined || property.containsTarget) return [];
    const notes = context.notesOf(`${type.qualifiedName}/${property.name}`, property.annotations);
    checkPartner(property, type, target, types, context);
    const joined = property.constraints.length > 0 ? dependent(property, type, target, context) : principal(property, type, target, context);
    if (joined === undefined) return [];
    const { name, at, nullable, collection } = property;
    const navigation: Navigation = { target: target.name, ...(collection && { collection: true }), ...joined.navigation };
    return [{ name, at, description: descriptionOf(notes, context), navigation, nullable: nullable !== false, relation: joined.relation }];
  });
}

type Joined = { readonly navigation: Pick<Navigation, 'join' | 'copies' | 'repeats'>; readonly relation: Relation | undefined };

const label = (type: BuiltType, { name }: NavigationProperty): string => `${type.name}/${name}`;

function targetOf(property: NavigationProperty, type: BuiltType, types: BuiltTypes, { scope, report }: Context): BuiltType | undefined {
  const owner = label(type, property);
  const name = scope.qualify(property.type);
  const target = types.get(name);
  if (property.containsTarget) {
    report(faults.notSupported(property.at, `${owner} with ContainsTarget`, 'Give the target an entity set and a Partner with a ReferentialConstraint.'));
  }
  if (target !== undefined || name === '') return target;
  const isOther = scope.definitions.has(name) || name.startsWith('Edm.');
  report(isOther ? faults.navigationType(property.at, owner, property.type) : faults.unknownType(property.at, owner, property.type, suggestion(name, types.keys())));
  return undefined;
}

function partnerOf(property: NavigationProperty, target: BuiltType): NavigationProperty | undefined {
  return target.navigation.find(({ name }) => name === property.partner);
}

function checkPartner(property: NavigationProperty, type: BuiltType, target: BuiltType, types: BuiltTypes, { scope, report }: Context): void {
  if (property.partner === undefined) return;
  const owner = label(type, property);
  const wrong = (why: string): void => report(faults.partner(property.at, owner, property.partner ?? '', why));
  const partner = partnerOf(property, target);
  if (partner === undefined) return wrong(`is not a navigation property of ${target.name}`);
  if (!isRelated(types.get(scope.qualify(partner.type)), type)) return wrong(`leads to ${partner.type}, not back to ${type.qualifiedName}`);
  if (partner.partner !== undefined && partner.partner !== property.name) wrong(`names ${partner.partner} as its own partner`);
}

// The partner may lead to a type that this one derives from, or to one that derives from it.
function isRelated(target: BuiltType | undefined, type: BuiltType): boolean {
  return target !== undefined && (target === type || target.bases.includes(type) || type.bases.includes(target));
}

// The side with the constraint holds the other's key.
function dependent(property: NavigationProperty, type: BuiltType, target: BuiltType, context: Context): Joined | undefined {
  const owner = label(type, property);
  if (property.collection) {
    context.report(faults.notSupported(property.at, `${owner}, a collection with a ReferentialConstraint`, 'Put the constraint on the to-one side.'));
    return undefined;
  }
  const pairs = constraintPairs(property, type, target, context);
  if (pairs === undefined) return undefined;
  const columns = pairs.map(([own]) => type.fields.get(own)?.column ?? own);
  const principalColumns = pairs.map(([, other]) => target.fields.get(other)?.column ?? other);
  const internal = internalColumn(property, type, target, pairs);
  const onDelete = deleteAction(property, type, target, pairs);
  const join = internal === undefined ? zip(columns, principalColumns) : { [internal.column]: '#id' };
  return { navigation: { join, ...(internal && { repeats: zip(columns, principalColumns) }) }, relation: { columns, principal: target.table, principalColumns, onDelete, internal } };
}

type Pairs = readonly (readonly [string, string])[];

function constraintPairs(property: NavigationProperty, type: BuiltType, target: BuiltType, { report }: Context, owner = label(type, property)): Pairs | undefined {
  let isSound = true;
  const wrong = (fault: ReturnType<typeof faults.constraintKey>): void => {
    report(fault);
    isSound = false;
  };
  for (const { at, property: own, referencedProperty: other } of property.constraints) {
    const left = type.fields.get(own);
    const right = target.fields.get(other);
    if (left === undefined) wrong(faults.constraintProperty(at, owner, own, type.name, suggestion(own, type.fields.keys())));
    if (right === undefined) wrong(faults.constraintProperty(at, owner, other, target.name, suggestion(other, target.fields.keys())));
    if (left !== undefined && right !== undefined && (left.field.type !== right.field.type || left.field.collection !== right.field.collection)) {
      wrong(faults.constraintType(at, owner, `${own} of ${left.property.type}`, `${other} of ${right.property.type}`));
    }
  }
  const referenced = property.constraints.map(({ referencedProperty }) => referencedProperty);
  const reachesKey = target.key.length === referenced.length && target.key.every((name) => referenced.includes(name));
  if (isSound && !reachesKey) wrong(faults.constraintKey(property.at, owner, target.name));
  if (!isSound) return undefined;
  return target.key.map((name) => [property.constraints.find((pair) => pair.referencedProperty === name)?.property ?? '', name]);
}

// A generated key may change later (a draft is published), so its records are held by number.
function internalColumn(property: NavigationProperty, type: BuiltType, target: BuiltType, pairs: Pairs): Relation['internal'] {
  const isGenerated = target.key.some((name) => target.fields.get(name)?.notes.find(terms.keyGeneration) !== undefined);
  if (!isGenerated) return undefined;
  return { column: databaseName(`#${property.name}`), nullable: isNullable(type, pairs) };
}

function isNullable(type: BuiltType, pairs: Pairs): boolean {
  return pairs.some(([own]) => type.fields.get(own)?.field.nullable === true);
}

function deleteAction(property: NavigationProperty, type: BuiltType, target: BuiltType, pairs: Pairs): Relation['onDelete'] {
  const inverse = target.navigation.find((other) => other.name === property.partner || (other.partner === property.name && other.type.endsWith(`.${type.name}`)));
  const action = inverse?.onDelete?.action;
  if (action === 'Cascade') return 'cascade';
  const setsNull = action === 'SetNull' || (action === undefined && internalColumn(property, type, target, pairs) !== undefined);
  return setsNull && isNullable(type, pairs) ? 'set null' : 'no action';
}

// The side without a constraint is joined by its partner's, read the other way.
function principal(property: NavigationProperty, type: BuiltType, target: BuiltType, context: Context): Joined | undefined {
  if (property.joinedBy !== undefined) return joinedByTarget({ ...property, collection: false, constraints: property.joinedBy }, type, target, context);
  const partner = partnerOf(property, target);
  if (partner === undefined || partner.constraints.length === 0) {
    if (property.partner === undefined || partner !== undefined) context.report(faults.noJoin(property.at, label(type, property)));
    return undefined;
  }
  const pairs = constraintPairs(partner, target, type, { ...context, report: () => undefined });
  if (pairs === undefined || partner.collection) return undefined;
  const own = pairs.map(([, key]) => type.fields.get(key)?.column ?? key);
  const theirs = pairs.map(([foreign]) => target.fields.get(foreign)?.column ?? foreign);
  const internal = internalColumn(partner, target, type, pairs);
  if (internal === undefined) return { navigation: { join: zip(own, theirs) }, relation: undefined };
  return { navigation: { join: { '#id': internal.column }, copies: zip(own, theirs) }, relation: undefined };
}

// The target holds the key and has no navigation property back, so nothing else says how the two are joined.
function joinedByTarget(back: NavigationProperty, type: BuiltType, target: BuiltType, context: Context): Joined | undefined {
  const pairs = constraintPairs(back, target, type, context, label(type, back));
  if (pairs === undefined) return undefined;
  if (internalColumn(back, target, type, pairs) !== undefined) {
    context.report(faults.notSupported(back.at, `${label(type, back)}, which joins a generated key without a partner`, 'Add a partner with a ReferentialConstraint.'));
    return undefined;
  }
  const own = pairs.map(([, key]) => type.fields.get(key)?.column ?? key);
  return { navigation: { join: zip(own, pairs.map(([foreign]) => target.fields.get(foreign)?.column ?? foreign)) }, relation: undefined };
}

function zip(keys: readonly string[], values: readonly string[]): { readonly [key: string]: string } {
  return Object.fromEntries(keys.map((key, index) => [key, values[index] ?? '']));
}
