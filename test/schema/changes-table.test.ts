import test from 'ava';
import { changesTable } from '../../runtime/schema/changes-table.js';

const changing: readonly string[] = [
  'alter table "Item" add column "Weight" integer;',
  'ALTER TABLE ONLY "Item" RENAME COLUMN "Name" TO "Title";',
  'update "Item" set "Name" = $1 where "#id" > 1 and',
  'delete from "Item" where true;',
  'DELETE FROM "Item";',
  'insert into "Item" select * from "Old";',
  'alter table "Former" rename to "Item";',
  'drop table "Item";',
  'with gone as (select 1) update public."Item" set "Name" = null;',
];
const others: readonly string[] = [
  'alter table "Items" add column "Weight" integer;',
  'create table "Review" ("#Item" bigint references "Item" ("#id") on delete cascade);',
  'create index "Item#Name" on "Item" ("Name");',
  'insert into "Box" select "Name" from "Item" join "Item" other on true;',
  '-- step 1 expand, in one transaction: rewrites "Item"\nselect 1;',
  `update "Box" set "Label" = 'Item';`,
];

for (const text of changing) test(`a migration changes the table: ${text}`, (t) => t.true(changesTable(text, 'Item')));
for (const text of others) test(`a migration does not change the table: ${text}`, (t) => t.false(changesTable(text, 'Item')));

test('names are compared as they are', (t) => {
  t.true(changesTable('update "Item@Set (1)" set "Name" = null;', 'Item@Set (1)'));
  t.false(changesTable('update "Item@Set 1" set "Name" = null;', 'Item@Set (1)'));
});
