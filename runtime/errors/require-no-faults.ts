import { errors } from './catalogue.js';
import type { ErrorDetail } from './odata-error.js';
import { displayName } from './display-name.js';

/** Throws one error with all faults of an entity that is to be saved. */
export function requireNoFaults({ name }: { readonly name: string }, faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw errors.notSaved(displayName(name)).with(faults);
}
