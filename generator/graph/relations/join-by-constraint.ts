import { type Field, hiddenMark, type Navigation, primitives } from '../../../runtime/edm/index.js';
import { suggestion } from '../../../runtime/errors/suggest.js';
import type { NavigationProperty } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { faults } from '../../faults.js';
import { fateOf, label, ownsOf, soleOf } from './ends.js';
import { hasOwnFault, isPartial } from '../values/own-fault.js';
import { pathColumn } from '../keys/path-column.js';
import type { BuiltType, Context, Ends, Joined, BuiltFields } from '../built-model.js';
import type { Relation, PathColumn } from '../storage.js';

/** The side with the constraint holds the foreign key. */
export function dependent(ends: Ends, context: Context): Joined | undefined {
  const {
    property,
    type,
    target,
    inverse,
    contained: [, isContained],
  } = ends;
  const pairs = constraintPairs(property, type, target, context);
  if (pairs === undefined) return undefined;
  const [columns, principalColumns] = columnsOf(pairs);
  const internal = internalColumn(property, type, target, pairs);
  if (isContained && internal === undefined) return refuseContained(ends, context);
  const pathColumns = pairs.flatMap(([own]) => own.path ?? []);
  // A generated column cannot be set to null.
  const isOptional = mayLeadNowhere(pairs) && pathColumns.length === 0;
  const onDelete = deleteAction(inverse?.onDelete?.action, internal !== undefined, isOptional);
  const join = internal === undefined ? zip(columns, principalColumns) : { [internal.column]: '#id' };
  return {
    navigation: {
      join,
      ...(internal && { mirrors: zip(columns, principalColumns) }),
      ...fateOf(onDelete),
      ...follows(pathColumns),
      ...(columns.some((column) => column.startsWith(hiddenMark)) && { required: true as const }),
      ...(pathColumns.length > 0 ? {} : soleOf(ends, isOptional)),
    },
    relation: {
      columns,
      principal: target.table,
      principalColumns,
      onDelete,
      internal,
    },
    pathColumns,
  };
}

// The key of a faulty type is unknown.
function refuseContained({ property, type, target }: Ends, { report }: Context): undefined {
  const declared = [target, ...target.bases].flatMap(({ definition }) => definition.keys[0] ?? []);
  if (target.key.length > 0 && target.key.length === declared.length)
    report(faults.constraintContained(property.at, label(type, property), target.name));
}

/** The side without a constraint is joined by its partner's, reversed. */
export function principal(ends: Ends, partner: NavigationProperty, context: Context): Joined | undefined {
  const {
    type,
    target,
    contained: [isContained],
  } = ends;
  const pairs = constraintPairs(partner, target, type, { ...context, report: () => undefined });
  if (pairs === undefined) return undefined;
  const [theirs, own] = columnsOf(pairs);
  const internal = internalColumn(partner, target, type, pairs);
  // The partner has the fault.
  if (isContained && internal === undefined) return undefined;
  const owns = ownsOf(ends, !mayLeadNowhere(pairs));
  if (internal === undefined)
    return { navigation: { join: zip(own, theirs), ...owns, ...follows(pairs.flatMap(([other]) => other.path ?? [])) } };
  return { navigation: { join: { '#id': internal.column }, mirroredBy: zip(own, theirs), ...owns } };
}

/** The target holds the key without a navigation property back, so only the constraint defines the join. */
export function joinedByTarget(ends: Ends, constraints: NavigationProperty['constraints'], context: Context): Joined | undefined {
  const { property, type, target } = ends;
  const back = { ...property, collection: false, constraints };
  const pairs = constraintPairs(back, target, type, context, label(type, back));
  if (pairs === undefined) return undefined;
  return joinedByValues(
    back,
    type,
    pairs.map(([their, own]) => [own, their]),
    context,
  );
}

/** A collection with a constraint contains all entities with its values, key or not. */
export function matching({ property, type, target }: Ends, context: Context): Joined | undefined {
  const pairs = soundPairs(property, type, target, context, label(type, property));
  return pairs && joinedByValues(property, type, pairs, context);
}

// Without a foreign key nothing follows a change of the values.
function joinedByValues(property: NavigationProperty, type: BuiltType, pairs: Pairs, context: Context): Joined | undefined {
  const leave = (why: string): undefined => context.report(faults.constraintLeft(property.at, label(type, property), why)) as undefined;
  const [own, theirs] = columnsOf(pairs);
  if (pairs.some(([{ name }]) => isGenerated(type, name))) return leave('it names a generated key, which changes');
  if (pairs.some((ends) => ends.some(({ path }) => path !== undefined))) return leave('it names a property of a complex value');
  if (pairs.some(([{ field }]) => field.collection || !primitives[field.type].ordered))
    return leave('it names a property whose values have no order');
  if (new Set(own).size < own.length) return leave('it names a property twice');
  return { navigation: { join: zip(own, theirs) } };
}

function isGenerated({ fields }: BuiltType, name: string): boolean {
  return fields.get(name)?.notes.find(terms.keyGeneration) !== undefined;
}

// Writers of the complex value set the reference.
function follows(columns: readonly PathColumn[]): Pick<Navigation, 'follows'> {
  return columns.length === 0 ? {} : { follows: columns.map(({ path }) => path) };
}

/** The effect of a deletion on referencing rows; `action` is the OnDelete of its side. */
export function deleteAction(action: string | undefined, isInternal: boolean, isOptional: boolean): Relation['onDelete'] {
  if (action === 'Cascade') return 'cascade';
  const setsNull = action === 'SetNull' || (action === undefined && isInternal);
  return setsNull && isOptional ? 'set null' : 'no action';
}

/** A property in a constraint: a column, or nested in a complex value. */
interface End {
  readonly name: string;
  readonly type: string;
  readonly column: string;
  readonly field: Field;
  readonly path?: PathColumn;
}

type Pairs = readonly (readonly [own: End, other: End])[];

function endOf(name: string, { fields }: BuiltType, context: Context): End | undefined {
  const built = fields.get(name);
  if (built) return { name, type: built.property.type, column: built.column, field: built.field };
  const path = name.includes('/') ? pathColumn(name, fields, context) : undefined;
  return path && { name, type: path.property.type, column: path.column, field: path.field, path };
}

/** The pairs of a navigation property's referential constraints, in the order of the target's key; undefined for invalid ones. */
export function constraintPairs(
  property: NavigationProperty,
  type: BuiltType,
  target: BuiltType,
  context: Context,
  owner = label(type, property),
): Pairs | undefined {
  const pairs = soundPairs(property, type, target, context, owner);
  if (pairs === undefined) return undefined;
  const key = target.key.map((name) => target.keyColumns.get(name)?.path ?? name);
  const inOrder = key.flatMap((name) =>
    pairs.filter(([, { name: referenced }], index) => referenced === name && index === pairs.findIndex(([, other]) => other.name === name)),
  );
  if (inOrder.length === key.length && pairs.length === key.length) return inOrder;
  return context.report(faults.constraintKey(property.at, owner, target.name)) as undefined;
}

function soundPairs(property: NavigationProperty, type: BuiltType, target: BuiltType, context: Context, owner: string): Pairs | undefined {
  let isSound = true;
  const wrong = (fault: ReturnType<typeof faults.constraintType>): void => {
    context.report(fault);
    isSound = false;
  };
  const unknown = (name: string, of: BuiltType, at: number): void => {
    isSound = false;
    if (!hasOwnFault(name, of, context) && !isPartial(of))
      context.report(faults.constraintProperty(at, owner, name, of.name, suggestion(name, pathsLike(name, of, context))));
  };
  const pairs = property.constraints.flatMap(({ at, property: own, referencedProperty: other }) => {
    const left = endOf(own, type, context);
    const right = endOf(other, target, context);
    if (left === undefined) unknown(own, type, at);
    if (right === undefined) unknown(other, target, at);
    if (left === undefined || right === undefined) return [];
    const names = [`${own} of ${left.type}`, `${other} of ${right.type}`] as const;
    if (left.field.collection !== right.field.collection || !areComparable(left.field, right.field))
      wrong(faults.constraintType(at, owner, ...names));
    else if (left.field.type !== right.field.type) context.report(faults.constraintWidth(at, owner, ...names));
    return [[left, right] as const];
  });
  return isSound ? pairs : undefined;
}

// Similar paths: properties that are siblings of the last name.
function pathsLike(path: string, { fields }: BuiltType, { complexTypes }: Context): readonly string[] {
  const front = path.split('/').slice(0, -1);
  const inner = front.reduce<BuiltFields | undefined>(
    (before, name) => complexTypes.get(before?.get(name)?.field.complex ?? '')?.fields,
    fields,
  );
  return [...fields.keys(), ...(front.length === 0 ? [] : [...(inner?.keys() ?? [])].map((name) => [...front, name].join('/')))];
}

function columnsOf(pairs: Pairs): readonly [own: readonly string[], other: readonly string[]] {
  return [pairs.map(([{ column }]) => column), pairs.map(([, { column }]) => column)];
}

// A generated key may change (a draft is published), and a shared property may have the key of another type: such targets
// are referenced by `#id`.
function internalColumn(property: NavigationProperty, type: BuiltType, target: BuiltType, pairs: Pairs): Relation['internal'] {
  if (!property.sharesProperty && !target.key.some((name) => isGenerated(target, name))) return undefined;
  return { column: type.numberColumns.get(property.name) ?? '', nullable: mayLeadNowhere(pairs) };
}

function mayLeadNowhere(pairs: Pairs): boolean {
  return pairs.some(([{ field }]) => field.nullable === true);
}

/** Combines names with their values. */
export function zip(keys: readonly string[], values: readonly string[]): { readonly [key: string]: string } {
  return Object.fromEntries(keys.map((key, index) => [key, values[index] ?? '']));
}

/** Whether PostgreSQL compares the two types in a foreign key: equal types, or whole numbers of any width. */
function areComparable(one: Field, other: Field): boolean {
  return one.type === other.type || (isWholeNumber(one) && isWholeNumber(other));
}

function isWholeNumber({ type, enumeration }: Field): boolean {
  return primitives[type].range !== undefined && enumeration === undefined;
}
