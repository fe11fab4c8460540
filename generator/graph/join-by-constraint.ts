import { suggestion } from '../../runtime/errors/suggest.js';
import type { NavigationProperty } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { faults } from '../faults.js';
import type { BuiltType } from './build-type.js';
import type { Context } from './context.js';
import { label, ownsOf, type Ends, type Joined } from './ends.js';
import type { Relation } from './model-graph.js';

/** The side with the constraint holds the other's key. */
export function dependent({ property, type, target, inverse }: Ends, context: Context): Joined | undefined {
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
  const onDelete = deleteAction(inverse?.onDelete?.action, internal !== undefined, isNullable(type, pairs));
  const join = internal === undefined ? zip(columns, principalColumns) : { [internal.column]: '#id' };
  return { navigation: { join, ...(internal && { repeats: zip(columns, principalColumns) }) }, relation: { columns, principal: target.table, principalColumns, onDelete, internal } };
}

/** The side without a constraint is joined by its partner's, read the other way. */
export function principal(ends: Ends, partner: NavigationProperty, context: Context): Joined | undefined {
  const { type, target } = ends;
  const pairs = constraintPairs(partner, target, type, { ...context, report: () => undefined });
  if (pairs === undefined) return undefined;
  const own = pairs.map(([, key]) => type.fields.get(key)?.column ?? key);
  const theirs = pairs.map(([foreign]) => target.fields.get(foreign)?.column ?? foreign);
  const internal = internalColumn(partner, target, type, pairs);
  const owns = ownsOf(ends, !isNullable(target, pairs));
  if (internal === undefined) return { navigation: { join: zip(own, theirs), ...owns } };
  return { navigation: { join: { '#id': internal.column }, copies: zip(own, theirs), ...owns } };
}

/** The target holds the key and has no navigation property back, so nothing else says how the two are joined. */
export function joinedByTarget({ property, type, target }: Ends, constraints: NavigationProperty['constraints'], context: Context): Joined | undefined {
  const back = { ...property, collection: false, constraints };
  const pairs = constraintPairs(back, target, type, context, label(type, back));
  if (pairs === undefined) return undefined;
  if (internalColumn(back, target, type, pairs) !== undefined) {
    context.report(faults.notSupported(back.at, `${label(type, back)}, which joins a generated key without a partner`, 'Add a partner with a ReferentialConstraint.'));
    return undefined;
  }
  const own = pairs.map(([, key]) => type.fields.get(key)?.column ?? key);
  return { navigation: { join: zip(own, pairs.map(([foreign]) => target.fields.get(foreign)?.column ?? foreign)) } };
}

/** What becomes of the records that refer to one which is deleted; `action` is the OnDelete of the side that it is on. */
export function deleteAction(action: string | undefined, isInternal: boolean, isOptional: boolean): Relation['onDelete'] {
  if (action === 'Cascade') return 'cascade';
  const setsNull = action === 'SetNull' || (action === undefined && isInternal);
  return setsNull && isOptional ? 'set null' : 'no action';
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
  return { column: type.numberColumns.get(property.name) ?? '', nullable: isNullable(type, pairs) };
}

function isNullable(type: BuiltType, pairs: Pairs): boolean {
  return pairs.some(([own]) => type.fields.get(own)?.field.nullable === true);
}

function zip(keys: readonly string[], values: readonly string[]): { readonly [key: string]: string } {
  return Object.fromEntries(keys.map((key, index) => [key, values[index] ?? '']));
}
