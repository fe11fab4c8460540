import type { EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';

/** The error for a path to a single entity that does not exist. */
export function missingRecord({ name, singleton }: EntityType): ODataError {
  if (singleton === undefined) return errors.notFound(`${name} with that key`);
  return errors.notFound(`${singleton} yet`, ` It has properties without defaults: create it with PUT or PATCH /${singleton}.`);
}
