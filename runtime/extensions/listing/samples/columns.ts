import type { CopyValue } from '../../../database/copy.js';
import type * as types from '../../../../generated/types.js';

/** The entity types that the sample data fills, without the properties that the service sets. */
interface SeedTypes {
  readonly Office: types.Office;
  readonly Member: types.Member;
  readonly Property: Omit<types.Property, 'OriginatingSystemName'>;
  readonly Media: types.Media;
  readonly PropertyRooms: types.PropertyRooms;
  readonly OpenHouse: types.OpenHouse;
  readonly HistoryTransactional: Omit<types.HistoryTransactional, 'HistoryTransactionalKey'>;
  readonly Lookup: types.Lookup;
  readonly Field: types.Field;
}

/** An entity type that the sample data fills. */
export type SeedType = keyof SeedTypes;

// Navigation properties are optional.
type PropertyOf<Entity> = { [Name in keyof Entity]-?: undefined extends Entity[Name] ? never : Name }[keyof Entity];

/** A row of an entity type: a value for each property of the model, so that a mismatch with the model does not compile. */
export type Row<Type extends SeedType> = { readonly [Name in PropertyOf<SeedTypes[Type]>]: CopyValue };

/** A whole number of the smallest unit as decimal text: 12345 with two digits is 123.45. */
export function decimalText(units: number, digits: number): string {
  const text = String(Math.abs(units)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${units < 0 ? '-' : ''}${whole}.${text.slice(text.length - digits)}`;
}

/** Whole dollars in the database's form. */
export function dollars(amount: number): string {
  return decimalText(amount * 100, 2);
}
