import { kindOfFailure } from '../database/unavailable.js';
import { errors } from '../errors/catalogue.js';

/**
 * What a write's failure means to the client. What the plan checks does not come here; this is for what changed since,
 * and for rules that only the database has. Anything else is given back as it is.
 */
export function writeRefusal(failure: unknown): unknown {
  const kind = kindOfFailure(failure);
  if (kind === 'conflict') return errors.conflict('Another record has what must be unique in this one.');
  if (kind === 'invalid') return errors.notSaved('record').with([{ code: errors.invalidValue.code, message: 'A value is none that the database can hold, or breaks one of its rules.' }]);
  return failure;
}
