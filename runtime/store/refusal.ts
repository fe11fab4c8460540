import { kindOfFailure } from '../database/unavailable.js';
import { errors } from '../errors/catalogue.js';

/**
 * What a write's failure means to the client. What the plan checks does not come here; this is for what changed since,
 * and for rules that only the database has. Anything else is given back as it is.
 */
export function writeRefusal(failure: unknown): unknown {
  const kind = kindOfFailure(failure);
  if (kind === 'conflict') return errors.conflict('Another record has what must be unique in this one.');
  const missing = missingProperty(failure);
  if (missing !== undefined) return errors.notSaved('record').with([missingFault(missing)]);
  if (kind === 'invalid') return errors.notSaved('record').with([{ code: errors.invalidValue.code, message: 'A value is none that the database can hold, or breaks one of its rules.' }]);
  return failure;
}

// Only what the service itself should have given a value comes this far: what clients must send is checked in the plan.
function missingFault(name: string): { readonly code: string; readonly message: string; readonly target: string } {
  const message = `${name} must have a value, and nothing gives it one: the service computes it, so that a default or Rules.Generated of the model, or an extension, has to.`;
  return { code: errors.missingRequired.code, message, target: name };
}

const notNullViolation = '23502';

// The column is the property's own; those of the service begin with a number sign.
function missingProperty(failure: unknown): string | undefined {
  if (typeof failure !== 'object' || failure === null) return undefined;
  const { code, column, original } = failure as { readonly code?: unknown; readonly column?: unknown; readonly original?: unknown };
  if (original !== undefined) return missingProperty(original);
  return code === notNullViolation && typeof column === 'string' && !column.startsWith('#') ? column : undefined;
}
