import { readFileSync } from 'node:fs';
import { noDecisions } from '../../generator/migrate/step.js';
import { flat } from '../support/edits.js';
import { migrationsOf, type Scene } from './scene.js';

/** The model that most changes begin with. */
export const first = flat(readFileSync('test/migrate/first.xml', 'utf8'));

/** A change of it with a backfill. */
export const required = first.replace(
  '<Property Name="Remark" Type="Edm.String" MaxLength="100"/>',
  '<Property Name="Remark" Type="Edm.String" MaxLength="100" Nullable="false" DefaultValue="none"/>',
);

/** The model with so many properties that W299 and later ones share a column. */
export const wide = first.replace(
  '<Property Name="Old"',
  `${Array.from({ length: 310 }, (_, index) => `<Property Name="W${index}" Type="Edm.String"/>`).join('')}<Property Name="Old"`,
);

/** The first migration. */
export const beginning = migrationsOf(first, new Map(), noDecisions);

/** Makes a customer with orders. */
export async function fill({ run }: Scene, rows: number): Promise<void> {
  await run(`insert into "Customer" ("Code") values ('C')`);
  await run(`insert into "Order" ("Number", "Old", "CustomerCode") select 'N' || i, true, 'C' from generate_series(1, ${rows}) as i`);
}
