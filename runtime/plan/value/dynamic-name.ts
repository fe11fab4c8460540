import type { StructuredType } from '../../edm/index.js';
import { suggestion } from '../../errors/suggest.js';

/** Why a type has no property with the name, as the end of a message: an open type accepts valid names. */
export function missingNameHint({ open, fields }: Pick<StructuredType, 'open' | 'fields'>, name: string): string {
  return open && !name.includes('@')
    ? ' It may have others, with names of letters, digits and underscores that do not start with a digit.'
    : suggestion(name, Object.keys(fields));
}
