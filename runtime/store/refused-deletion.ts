import { navigationOf, targetOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import type { Caller } from '../plan/caller.js';
import { brokenReference, foreignKeyViolation, violationOf } from './refusal.js';
import { locationOf } from './type-location.js';
import type { WriteScope } from './write-scope.js';

/** The error for a deletion that references prevent; other failures are returned unchanged. */
export function refusedDeletion(failure: unknown, type: EntityType, scope: Pick<WriteScope, 'container' | 'caller'>): unknown {
  const { container } = scope;
  const { code, table } = violationOf(failure);
  if (code !== foreignKeyViolation) return failure;
  const name = brokenReference(failure) ?? '';
  const referring = Object.values(container.entityTypes).find((other) => other.table === table && navigationOf(other, name) !== undefined);
  return stillReferred(type, { referring, name, target: referring && targetBehind(referring, name, container) }, scope);
}

/** The entities that reference another one, if known. */
interface Referring {
  readonly referring: EntityType | undefined;
  readonly name: string;
  readonly target: EntityType | undefined;
}

/** The error for deleting an entity of a type while others reference it, or one that the deletion cascades to. */
function stillReferred(
  type: EntityType,
  { referring, name, target }: Referring,
  { container, caller }: Pick<WriteScope, 'container' | 'caller'>,
): ODataError {
  const place = referring && locationOf(referring, container);
  const isTold =
    referring !== undefined &&
    place !== undefined &&
    place.types.every((one) => seesAll(one, caller)) &&
    (!isOther(type, target) || seesAll(target, caller));
  const records = isTold ? `Records of ${place.path} (${name})` : 'Other records';
  return errors.conflict(`${records} reference this ${type.name}${isTold ? goneWith(type, target) : ''}; change or delete them first.`);
}

// Sets that the caller may not read completely are not named, neither as referencing nor as cascading.
function seesAll({ permissions: { read } }: EntityType, { scopes }: Caller): boolean {
  return read === undefined || read.some(({ scope, rows }) => scopes.has(scope) && rows === undefined);
}

function targetBehind(type: EntityType, name: string, container: EntityContainer): EntityType | undefined {
  const navigation = navigationOf(type, name);
  return navigation && targetOf(container, navigation);
}

function isOther({ table }: EntityType, target: EntityType | undefined): target is EntityType {
  return target !== undefined && target.table !== table;
}

function goneWith(type: EntityType, target: EntityType | undefined): string {
  return isOther(type, target) ? `, or the ${target.name} that would be deleted with it` : '';
}
