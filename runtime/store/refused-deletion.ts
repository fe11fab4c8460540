import { navigationOf, targetOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { anyNameOf } from '../plan/path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import type { Caller } from '../plan/caller.js';
import { brokenReference, foreignKeyViolation, violationOf } from './refusal.js';
import { toldPlace } from './told-place.js';
import type { WriteScope } from './write-scope.js';

/** Why a record could not be deleted: others refer to it, or to what goes with it; any other failure is given back as it is. */
export function refusedDeletion(failure: unknown, type: EntityType, scope: Pick<WriteScope, 'container' | 'caller'>): unknown {
  const { container } = scope;
  const { code, table } = violationOf(failure);
  if (code !== foreignKeyViolation) return failure;
  const name = brokenReference(failure) ?? '';
  const referring = Object.values(container.entityTypes).find((other) => other.table === table && navigationOf(other, name) !== undefined);
  return stillReferred(type, { referring, name, target: referring && targetBehind(referring, name, container) }, scope);
}

/** Records that refer to another one, where it is known which they are. */
interface Referring {
  readonly referring: EntityType | undefined;
  readonly name: string;
  readonly target: EntityType | undefined;
}

/** The refusal to delete a record of a type, since others refer to it, or to one that would go with it. */
export function stillReferred(
  type: EntityType,
  { referring, name, target }: Referring,
  { container, caller }: Pick<WriteScope, 'container' | 'caller'>,
): ODataError {
  const place = referring && toldPlace(referring, container);
  const isTold =
    referring !== undefined &&
    place !== undefined &&
    place.types.every((one) => seesAll(one, caller)) &&
    (!isOther(type, target) || seesAll(target, caller));
  const records = isTold ? `Records of ${place.path}, by ${anyNameOf(referring, name) ?? name},` : 'Other records';
  return errors.conflict(`${records} refer to this ${type.name}${isTold ? goneWith(type, target) : ''}; change or delete them first.`);
}

// A set that a caller may not read, or only in part, is not told to have records: neither those that refer, nor those that would go along.
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
  return isOther(type, target) ? `, or to the ${target.name} that would go with it` : '';
}
