import { readFileSync } from 'node:fs';
import { flat } from '../support/edits.js';

/** The first model, on one line. */
export const first = flat(readFileSync('test/migrate/first.xml', 'utf8'));

/** The former name of an element. */
export const was = (name: string): string => `<Annotation Term="Rules.RenamedFrom" String="${name}"/>`;

/** The first model with further types, and with properties of orders whose values are places. */
export function model(types: string, properties = ''): string {
  return first
    .replace('<EntityType Name="Customer">', `${types}<EntityType Name="Customer">`)
    .replace(
      '<Property Name="Old"',
      `${properties}<Property Name="Home" Type="Self.Place"/><Property Name="Others" Type="Collection(Self.Place)" Nullable="true"/><Property Name="Old"`,
    );
}
