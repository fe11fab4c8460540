import { complexTypeNamed, fieldOf, navigationOf, own, targetOf } from '../../runtime/edm/index.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import type { EntityType, StructuredType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import { type Family, familyOf } from '../../runtime/expression/methods.js';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { accessTo, type Caller } from '../../runtime/plan/caller.js';

/** The target of a path: a record or records, a value or values. */
export type Reached =
  | { readonly kind: 'record'; readonly type: StructuredType; readonly many: boolean }
  | { readonly kind: 'value'; readonly family: Family; readonly many: boolean; readonly field?: Field };

/** A member of a type that the caller may see. */
export interface Member {
  readonly name: string;
  readonly reached: Reached;
  readonly field?: Field;
  /** The type's name, as a person reads it. */
  readonly detail: string;
}

/** The caller of the tables. */
export function callerOf({ scopes }: Pick<ShownTables, 'scopes'>): Caller {
  return { subject: '', scopes: new Set(scopes) };
}

/** The properties and navigation properties of a type that the caller may read, in the order of the model. */
export function membersOf(type: StructuredType, tables: ShownTables): readonly Member[] {
  const hidden = hiddenOf(type, tables);
  const fields = Object.entries(type.fields).flatMap(([name, field]) =>
    hidden(name) || name.includes('/') ? [] : [{ name, field, detail: detailOf(field), reached: reachedField(field, tables.container) }],
  );
  const navigation = Object.entries(type.navigation).flatMap(([name, one]) => {
    const target = targetOf(tables.container, one);
    if (hidden(name) || name.includes('/') || !isReadable(target, tables)) return [];
    const reached: Reached = { kind: 'record', type: target, many: one.collection === true };
    return [{ name, reached, detail: one.collection ? `${target.name} *` : target.name }];
  });
  return [...fields, ...navigation];
}

/** Whether the caller may read records of a type. */
export function isReadable(type: StructuredType, tables: ShownTables): boolean {
  return !('permissions' in type) || accessTo(type as EntityType, 'read', callerOf(tables)).allowed;
}

function hiddenOf(type: StructuredType, tables: ShownTables): (name: string) => boolean {
  if (!('permissions' in type)) return () => false;
  const access = accessTo(type as EntityType, 'read', callerOf(tables));
  return (name) => !access.allowed || access.restricted.has(name);
}

function reachedField(field: Field, container: EntityContainer): Reached {
  const complex = field.complex === undefined ? undefined : complexTypeNamed(container, field.complex);
  if (complex) return { kind: 'record', type: complex, many: field.collection === true };
  return { kind: 'value', family: field.enumeration ? 'enumeration' : familyOf[field.type], many: field.collection === true, field };
}

function detailOf({ type, enumeration, complex, collection, lookup, allowedValues }: Field): string {
  const name = enumeration?.qualifiedName.split('.').at(-1) ?? complex?.split('.').at(-1) ?? type.replace('Edm.', '');
  return `${name}${collection ? ' *' : ''}${allowedValues || lookup ? ' list' : ''}`;
}

/** Follows names from a type; undefined where one is unknown or hidden. */
export function follow(from: Reached, names: readonly string[], tables: ShownTables): Reached | undefined {
  let at: Reached | undefined = from;
  for (const name of names) {
    if (at?.kind !== 'record') return undefined;
    at = stepFrom(at, name, tables);
  }
  return at;
}

function stepFrom({ type }: Extract<Reached, { kind: 'record' }>, name: string, tables: ShownTables): Reached | undefined {
  if (name === '$count') return { kind: 'value', family: 'number', many: false };
  const { container } = tables;
  const cast = Object.values(container.entityTypes).find(({ qualifiedName }) => qualifiedName === name);
  if (name.includes('.')) return cast && { kind: 'record', type: cast, many: false };
  if (hiddenOf(type, tables)(name)) return undefined;
  const field = fieldOf(type, name);
  if (field) return reachedField(field, container);
  const navigation = navigationOf(type, name);
  return navigation && { kind: 'record', type: targetOf(container, navigation), many: navigation.collection === true };
}

/** The values that a field's list permits, as literals. */
export function valuesOf({ allowedValues, enumeration, type }: Field): readonly string[] {
  if (type === 'Edm.Boolean') return ['true', 'false'];
  if (allowedValues && !enumeration && type !== 'Edm.String') return allowedValues;
  const texts = allowedValues ?? enumeration?.members.map(([name]) => name) ?? [];
  return texts.map((text) => `'${text.replaceAll("'", "''")}'`);
}

/** The set or singleton of the name that the caller may read. */
export function rootNamed(name: string, tables: ShownTables): Reached | undefined {
  const { entitySets, singletons = {}, entityTypes } = tables.container;
  const set = own(entitySets, name);
  const type = own(entityTypes, set ?? own(singletons, name) ?? '');
  return type && isReadable(type, tables) ? { kind: 'record', type, many: set !== undefined } : undefined;
}

/** Functions of a value and another one, which the form shows like operators. */
export const functionOperators: readonly string[] = ['contains', 'startswith', 'endswith'];
