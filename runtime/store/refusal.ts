import { isShownName } from '../edm/hidden-property.js';
import { kindOfFailure } from '../database/failures.js';
import { errors } from '../errors/catalogue.js';

/**
 * Converts a failed write for the client: concurrent changes, and rules that only the database checks. Other failures
 * are returned unchanged.
 */
export function writeRefusal(failure: unknown): unknown {
  const kind = kindOfFailure(failure);
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
  const message = `${name} requires a value, but nothing sets it: it is computed, so it needs a default or Rules.Generated in the model, or an extension.`;
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
/** The SQLSTATE of a foreign key violation. */
export const foreignKeyViolation = '23503';

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
export function violationOf(failure: unknown): Violation {
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
export function brokenReference(failure: unknown): string | undefined {
  const { code, table, constraint } = violationOf(failure);
  if (code !== foreignKeyViolation || typeof table !== 'string' || typeof constraint !== 'string') return undefined;
  const isNamed = constraint.startsWith(`${table}#`) && constraint.endsWith('#fk');
  return isNamed ? constraint.slice(table.length + 1, -'#fk'.length) : undefined;
}
