// Depends on PostgreSQL: DDL.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { migrationsOf } from './scene.js';

const whole = readFileSync('test/generator/cases/storage-layout/model.xml', 'utf8');
const distributed = whole.replace(
  '<EntitySet Name="Orders" EntityType="self.Order">',
  '$&<Annotation Term="Rules.StorageLayout"><Record><PropertyValue Property="Distributed" Bool="true"/></Record></Annotation>',
);

test('an existing database is distributed between the ends of its foreign keys', (t) => {
  const before = migrationsOf(whole, new Map(), noDecisions);
  const after = migrationsOf(distributed, before, noDecisions);
  const [, text = ''] = [...after].find(([path]) => !before.has(path)) ?? [];
  t.deepEqual(
    text.split('\n').filter((line) => line !== '' && !/^--|concurrently/.test(line)),
    [
      'alter table "Order" drop constraint "Order#Shop#fk";',
      'alter table "Order" drop constraint "Order#key";',
      'alter table "Line" drop constraint "Line#Order#fk";',
      'alter table "Shop" drop constraint "Shop#Town#fk";',
      'alter table "Line" drop constraint "Line_pkey";',
      'alter table "Line" drop constraint if exists "Line#number";',
      'alter table "Line" add constraint "Line#number" primary key using index "Line#number#next";',
      'alter table "Line" drop constraint if exists "Line#key";',
      'alter table "Line" add constraint "Line#key" unique using index "Line#key#next";',
      "set local citus.multi_shard_modify_mode = 'sequential';",
      `select create_reference_table('"Shop"');`,
      `select create_reference_table('"Town"');`,
      `select create_distributed_table('"Order"', '#id');`,
      `select create_distributed_table('"Line"', '#Order', colocate_with => '"Order"');`,
      'alter table "Order" add constraint "Order#Shop#fk" foreign key ("ShopId") references "Shop" ("Id") deferrable initially immediate not valid;',
      'alter table "Order" validate constraint "Order#Shop#fk";',
      'alter table "Line" add constraint "Line#Order#fk" foreign key ("#Order") references "Order" ("#id") on delete cascade not valid;',
      'alter table "Line" validate constraint "Line#Order#fk";',
      'alter table "Shop" add constraint "Shop#Town#fk" foreign key ("TownId") references "Town" ("Id") deferrable initially immediate not valid;',
      'alter table "Shop" validate constraint "Shop#Town#fk";',
    ],
  );
});

test('a distribution is not undone, and neither are partitions', (t) => {
  const refusals = (from: string, to: string): readonly string[] => {
    const failure = t.throws(() => migrationsOf(to, migrationsOf(from, new Map(), noDecisions), noDecisions), {
      instanceOf: UndecidedError,
    });
    return failure?.problems.map(({ kind, message }) => `${kind}: ${message}`) ?? [];
  };
  t.deepEqual(refusals(distributed, whole), [
    'refused: Order is distributed, and cannot be moved: copy its rows to another database.',
    'refused: Line is distributed, and cannot be moved: copy its rows to another database.',
    'refused: Shop is distributed, and cannot be moved: copy its rows to another database.',
    'refused: Town is distributed, and cannot be moved: copy its rows to another database.',
  ]);
  const one = whole.replaceAll(/<Annotation Term="Rules.StorageLayout">.*?<\/Annotation>/g, '');
  t.deepEqual(refusals(whole, one), [
    'refused: #changes has partitions, and cannot become one table again: copy its rows to another database.',
  ]);
  const type =
    '<EntityType Name="Log"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int64" Nullable="false"><Annotation Term="Core.Computed"/></Property></EntityType>';
  const rows = '<Annotation Term="Rules.StorageLayout"><Record><PropertyValue Property="PartitionRows" Int="1000"/></Record></Annotation>';
  const log = (set: string): string => one.replace(/<EntityContainer [^>]*>/, (start) => `${type}${start}${set}`);
  t.deepEqual(refusals(log(`<EntitySet Name="Logs" EntityType="self.Log">${rows}</EntitySet>`), log('')), [
    'refused: Log has partitions, and cannot become one table again: keep its set with Rules.StorageLayout, remove the type with the set (--dropped Log), or copy its rows to another database.',
  ]);
});

test('what is divided is not divided again', (t) => {
  const first = migrationsOf(distributed, new Map(), noDecisions);
  t.deepEqual(migrationsOf(distributed, first, noDecisions), first);
});
