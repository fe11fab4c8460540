import { errors } from './catalogue.js';
import type { ErrorDetail } from './odata-error.js';
import { spoken } from './spoken.js';

/** Refuses to save a record of a type because of what is wrong with it, all at once. */
export function requireNoFaults({ name }: { readonly name: string }, faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw errors.notSaved(spoken(name)).with(faults);
}
