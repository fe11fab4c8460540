import { anyEntity, qualify, type EntityContainer, type EntityType } from '../../edm/index.js';
import { entityTypeNamed, isTypeOrBase, typesWithin } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt } from '../../expression/quote.js';
import type { TypedExpr } from '../typed-expr.js';

/** What a cast to a type leaves: the type itself, and the names that `#type` may have, where it leaves out any. */
export interface TypeCast {
  readonly type: EntityType;
  readonly types?: readonly string[];
}

/** The cast that a segment asks for; undefined for a segment that is no name of an entity type. */
export function castSegment(name: string, from: EntityType, container: EntityContainer): TypeCast | undefined {
  return name.includes('.') ? castTo(name, from, container) : undefined;
}

/**
 * A cast of records of one type to another (URL conventions 4.11). To the own type or one that it derives from it leaves
 * every record as it is; to one that derives from it, only those of that type.
 */
function castTo(name: string, from: EntityType, container: EntityContainer): TypeCast | undefined {
  const qualified = qualify(container, name);
  if (isTypeOrBase(from, qualified)) return { type: from };
  const type = entityTypeNamed(container, name, from);
  if (type === undefined) return undefined;
  if (!isTypeOrBase(type, from.qualifiedName)) {
    if (from.qualifiedName === anyEntity)
      throw errors.notImplemented(`A path through ${excerpt(name)}, which is in several sets,`, 'Read each of the sets.').at(name);
    throw errors.typeMismatch(`${excerpt(name)} does not derive from ${from.qualifiedName}, so that no record is of both types.`).at(name);
  }
  return { type, types: typeNames(type) };
}

/** What `#type` says of records of a type. */
export function typeNames({ qualifiedName, derivedTypes = [] }: EntityType): readonly string[] {
  return [qualifiedName, ...derivedTypes];
}

/** The types that records of a table are asked for where a type is meant: none where every record there is of it. */
export function typesInTable(type: EntityType, container: EntityContainer): Pick<TypeCast, 'types'> {
  const isRoot = (type.baseTypes ?? []).every((name) => entityTypeNamed(container, name, type)?.table !== type.table);
  return isRoot ? {} : { types: typeNames(type) };
}

/** Whether a record that the statement reads is of one of the types. */
export function isOfTypes(alias: string, types: readonly string[] | undefined): TypedExpr {
  if (types === undefined) return { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: true };
  return { kind: 'isof', type: 'Edm.Boolean', nullable: false, alias, types };
}

/** Where a property is that the type itself has not: behind which cast, as a hint for messages. */
export function castHint(name: string, type: EntityType, container: EntityContainer): string {
  const owner = ownerOf(name, type, container);
  return owner === undefined ? '' : ` It is a property of ${owner}: write ${owner}/${name}.`;
}

/** Which type a new record would have to be of to have a property, as a hint for messages. */
export function typeHint(name: string, type: EntityType, container: EntityContainer): string {
  const owner = ownerOf(name, type, container);
  return owner === undefined ? '' : ` It is a property of ${owner}: say "@odata.type":"#${owner}".`;
}

function ownerOf(name: string, type: EntityType, container: EntityContainer): string | undefined {
  return typesWithin(type, container).find(({ fields, navigation }) => Object.hasOwn(fields, name) || Object.hasOwn(navigation, name))
    ?.qualifiedName;
}
