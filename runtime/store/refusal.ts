import { kindOfFailure } from '../database/failures.js';
import { type EntityContainer, type EntityType, isShownName, navigationOf, own, targetOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { Caller } from '../plan/caller.js';
import type { WriteScope } from './write-scope.js';

/** Converts a failed write for the client: concurrent changes, and rules that only the database checks. Others stay unchanged. */
export function writeRefusal(failure: unknown): unknown {
  const kind = kindOfFailure(failure);
  if (kind === 'fault') return failure;
  if (kind === 'conflict') return errors.conflict('Another record already has a value that must be unique.');
  const missing = missingProperty(failure);
  if (missing !== undefined) return errors.notSaved('record').with([missingFault(missing)]);
  if (isStillReferred(failure)) return errors.conflict('Other records reference one that would be deleted; change or delete them first.');
  const pointless = brokenReference(failure);
  if (pointless !== undefined) return errors.notSaved('record').with([pointlessFault(pointless)]);
  if (kind === 'invalid')
    return errors
      .notSaved('record')
      .with([{ code: errors.invalidValue.code, message: 'The database cannot store a value, or the value violates a constraint.' }]);
  return failure;
}

// Only values that the service should have set can be missing here: the plan checks those of clients.
function missingFault(name: string): { readonly code: string; readonly message: string; readonly target: string } {
  const message = `${name} requires a value, but nothing sets it: it is computed, so it needs a default or Rules.Generated in the model or its overlay, or an extension.`;
  return { code: errors.missingRequired.code, message, target: name };
}

/** The fault of a composite reference to nothing; the database checks composite keys. */
export function pointlessFault(name: string): ReturnType<typeof missingFault> {
  return {
    code: errors.invalidReference.code,
    message: `${name} has no target: no record has the key in its foreign key properties.`,
    target: name,
  };
}

const notNullViolation = '23502';
const foreignKeyViolation = '23503';

/** A violated constraint, as the driver reports it. */
interface Violation {
  readonly code?: unknown;
  readonly column?: unknown;
  readonly table?: unknown;
  readonly constraint?: unknown;
  readonly detail?: unknown;
  readonly original?: unknown;
}

/** The server's error, however often it is wrapped. */
function violationOf(failure: unknown): Violation {
  if (typeof failure !== 'object' || failure === null) return {};
  const violation: Violation = failure;
  return violation.original === undefined ? violation : violationOf(violation.original);
}

// The column is a property's; the service's own columns begin with a number sign.
function missingProperty(failure: unknown): string | undefined {
  const { code, column } = violationOf(failure);
  return code === notNullViolation && typeof column === 'string' && isShownName(column) ? column : undefined;
}

// One state for both directions: a missing target, or a deleted row that is referenced.
function isStillReferred(failure: unknown): boolean {
  const { code, detail } = violationOf(failure);
  return code === foreignKeyViolation && typeof detail === 'string' && detail.includes('still referenced');
}

/** The navigation property of a violated foreign key, which is named after table and navigation property. */
function brokenReference(failure: unknown): string | undefined {
  const { code, table, constraint } = violationOf(failure);
  if (code !== foreignKeyViolation || typeof table !== 'string' || typeof constraint !== 'string') return undefined;
  const isNamed = constraint.startsWith(`${table}#`) && constraint.endsWith('#fk');
  return isNamed ? constraint.slice(table.length + 1, -'#fk'.length) : undefined;
}

/** The error for a deletion that references prevent, of the entity or of one that the deletion cascades to; other failures are returned unchanged. */
export function refusedDeletion(failure: unknown, type: EntityType, scope: Pick<WriteScope, 'container' | 'caller'>): unknown {
  const { container, caller } = scope;
  const { code, table } = violationOf(failure);
  if (code !== foreignKeyViolation) return failure;
  const name = brokenReference(failure) ?? '';
  const referring = Object.values(container.entityTypes).find((other) => other.table === table && navigationOf(other, name) !== undefined);
  const place = referring && locationOf(referring, container);
  const navigation = referring && navigationOf(referring, name);
  const target = navigation && targetOf(container, navigation);
  const others = target === undefined || target.table === type.table ? [] : [target];
  if (place === undefined || ![...place.types, ...others].every((one) => seesAll(one, caller)))
    return errors.conflict(`Other records reference this ${type.name}; change or delete them first.`);
  const cascaded = others.map((other) => `, or the ${other.name} that would be deleted with it`).join('');
  return errors.conflict(`Records of ${place.path} (${name}) reference this ${type.name}${cascaded}; change or delete them first.`);
}

// Sets that the caller may not read completely are not named, neither as referencing nor as cascading.
function seesAll({ permissions: { read } }: EntityType, { scopes }: Caller): boolean {
  return read === undefined || read.some(({ scope, rows }) => scopes.has(scope) && rows === undefined);
}

/** The location of a type's entities for messages, and the types on the path. */
interface TypeLocation {
  readonly path: string;
  readonly types: readonly EntityType[];
}

/** The set of a type, or the path to its containment below one set; undefined where there is none, or several. */
function locationOf(type: EntityType, container: EntityContainer): TypeLocation | undefined {
  if (type.entitySet !== undefined) return { path: type.entitySet, types: [type] };
  // Types that share a table share its containment.
  const ways = new Map(
    Object.values(container.entityTypes).flatMap((outer) =>
      Object.entries(outer.navigation)
        .filter(([, { contains, target }]) => contains && own(container.entityTypes, target)?.table === type.table)
        .map(([name]) => [JSON.stringify([outer.table, name]), { outer, name }] as const),
    ),
  );
  const [found, ...others] = ways.values();
  if (found === undefined || others.length > 0 || found.outer.table === type.table) return undefined;
  const place = locationOf(found.outer, container);
  return place && { path: `${place.path}/${found.name}`, types: [type, ...place.types] };
}
