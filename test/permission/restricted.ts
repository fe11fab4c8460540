import { container } from '../../generated/index.js';

/** The scope whose callers do not see everything. */
const narrowScope = 'listing.read';

/** The properties of a type that the narrow scope does not show, as the model says. */
export function restrictedOf(type: string): readonly string[] {
  const permissions = container.entityTypes[type]?.permissions.read ?? [];
  return permissions.find(({ scope }) => scope === narrowScope)?.except ?? [];
}
