import { anyEntity, qualify, type EntityContainer, type EntityType } from '../../edm/index.js';
import { entityTypeNamed, isTypeOrBase, typesWithin } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt } from '../../errors/suggest.js';
import type { RecordTarget } from '../path-target.js';
import type { TypedExpr } from '../typed-expr.js';
import { both } from '../expr-facts.js';

/** The result of a type cast: the type, and the values of `#type` that remain, if not all. */
export interface TypeCast {
  readonly type: EntityType;
  readonly types?: readonly string[];
}

/** The cast of a segment; undefined for a segment that is no entity type. */
export function castSegment(name: string, from: EntityType, container: EntityContainer): TypeCast | undefined {
  return name.includes('.') ? castTo(name, from, container) : undefined;
}

/**
 * Casts an entity type to another (URL conventions 4.11). A cast to the type itself or a base type keeps all entities,
 * a cast to a derived type only those of that type.
 */
function castTo(name: string, from: EntityType, container: EntityContainer): TypeCast | undefined {
  const qualified = qualify(container, name);
  if (isTypeOrBase(from, qualified)) return { type: from };
  const type = entityTypeNamed(container, name, from);
  if (type === undefined) return undefined;
  if (!isTypeOrBase(type, from.qualifiedName)) {
    if (from.qualifiedName === anyEntity)
      throw errors.notImplemented(`A path through ${excerpt(name)}, whose records are in several sets,`, 'Read each of the sets.').at(name);
    throw errors.typeMismatch(`${excerpt(name)} does not derive from ${from.qualifiedName}, so no record has both types.`).at(name);
  }
  return { type, types: typeNames(type) };
}

/** The values of `#type` for a type. */
export function typeNames({ qualifiedName, derivedTypes = [] }: EntityType): readonly string[] {
  return [qualifiedName, ...derivedTypes];
}

/** The types to filter a table by; none where all rows are of the type. */
export function typesInTable(type: EntityType, container: EntityContainer): Pick<TypeCast, 'types'> {
  const isRoot = (type.baseTypes ?? []).every((name) => entityTypeNamed(container, name, type)?.table !== type.table);
  return isRoot ? {} : { types: typeNames(type) };
}

/** Whether a row has one of the types. */
export function isOfTypes(alias: string, types: readonly string[] | undefined): TypedExpr {
  if (types === undefined) return { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: true };
  return { kind: 'isof', type: 'Edm.Boolean', nullable: false, alias, types };
}

/** The cast after which a property exists, as a hint for messages. */
export function castHint(name: string, type: EntityType, container: EntityContainer): string {
  const owner = ownerOf(name, type, container);
  return owner === undefined ? '' : ` It is a property of ${owner}: write ${owner}/${name}.`;
}

/** The type that a new entity needs to have a property, as a hint for messages. */
export function typeHint(name: string, type: EntityType, container: EntityContainer): string {
  const owner = ownerOf(name, type, container);
  return owner === undefined ? '' : ` It is a property of ${owner}: add "@odata.type":"#${owner}".`;
}

function ownerOf(name: string, type: EntityType, container: EntityContainer): string | undefined {
  return typesWithin(type, container).find(({ fields, navigation }) => Object.hasOwn(fields, name) || Object.hasOwn(navigation, name))
    ?.qualifiedName;
}

/** The conditions of the path on its target apart from the key: types and filters. */
export function conditionOf({ alias, types, filter }: Pick<RecordTarget, 'alias' | 'types' | 'filter'>): TypedExpr | undefined {
  return both(types && isOfTypes(alias, types), filter);
}
