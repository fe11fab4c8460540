// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import { first } from './orders.js';
import { migrationsOf, withMigrations } from './scene.js';

const key = '<Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>';
const cascade = '<OnDelete Action="Cascade"/></NavigationProperty>';
const second = first
  .replace(
    '<EntityType Name="Customer">',
    `<EntityType Name="Note">${key}</EntityType>
     <EntityType Name="Line">${key}<Property Name="Order" Type="Edm.String" MaxLength="20"/>
       <NavigationProperty Name="Of" Type="Self.Order" Partner="Lines"><ReferentialConstraint Property="Order" ReferencedProperty="Number"/></NavigationProperty>
     </EntityType>
     <EntityType Name="Customer">`,
  )
  .replace(
    '<NavigationProperty Name="Customer"',
    `<NavigationProperty Name="Lines" Type="Collection(Self.Line)" Partner="Of">${cascade}
     <NavigationProperty Name="Notes" Type="Collection(Self.Note)" ContainsTarget="true"/>
     <NavigationProperty Name="Part" Type="Self.Order" Partner="Parts"/>
     <NavigationProperty Name="Parts" Type="Collection(Self.Order)" Partner="Part">${cascade}
     <NavigationProperty Name="Customer"`,
  );

test('a deletion takes along what refers to the record by the new model, before its migration has ended', (t) => {
  const texts = migrationsOf(first, new Map(), noDecisions);
  return withMigrations(texts, async ({ pool, folder, apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('a')`);
    await run(`insert into "Order" ("Number", "Old", "CustomerCode") values ('1', true, 'a'), ('2', true, 'a'), ('3', true, 'a')`);
    write(migrationsOf(second, texts, noDecisions));
    await migrate(pool, folder, [], { until: 'backfill' });
    await run(`update "Order" set "#Part" = 1 where "Number" = '2'`);
    await run(`insert into "Line" ("Id", "Order") values (1, '1'), (2, '3')`);
    await run(`insert into "Note" ("Id", "#in.Order") values (1, 1), (2, 3)`);
    await run(`delete from "Order" where "Number" = '1'`);
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run('select "Number" from "Order"'), [['3']]);
    t.deepEqual(await run('select "Id" from "Line" union all select "Id" from "Note"'), [['2'], ['2']]);
  });
});
