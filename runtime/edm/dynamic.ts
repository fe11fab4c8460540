import type { StructuredType } from './complex-type.js';

/** The column of an open type's dynamic properties. */
export const openColumn = '#open';

const identifier = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]{0,127}$/u;

/** Whether an undeclared name can be that of a dynamic property (ABNF rule odataIdentifier). */
export function isDynamicName({ open }: Pick<StructuredType, 'open'>, name: string): boolean {
  return open === true && identifier.test(name);
}
