// Depends on PostgreSQL: DDL.

import test from 'ava';
import { fc } from '../support/fast-check.js';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions, type Decisions } from '../../generator/migrate/step.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import { migrationsOf, withMigrations, type Scene } from './scene.js';

// GABLE_RENAMES=100 for a long run.
const runs = Number(process.env['GABLE_RENAMES'] ?? '12');
const pool = ['A', 'B', 'C', 'D', 'E'] as const;
type Name = (typeof pool)[number];

/** A property, and the one of the first model whose values it has. */
interface Member {
  readonly name: Name;
  readonly source: Name | undefined;
  /** The name that its annotation gives, which stays for good. */
  readonly annotated?: Name;
}

/** A change of names: where each of the pool goes, in a random order of targets; and how that is declared. */
interface Change {
  readonly targets: readonly Name[];
  readonly kept: readonly boolean[];
  readonly fresh: readonly Name[];
  readonly by: 'flag' | 'annotation';
}

const change: fc.Arbitrary<Change> = fc.record({
  targets: fc.shuffledSubarray([...pool], { minLength: pool.length }),
  kept: fc.array(fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, { arbitrary: fc.constant(false), weight: 1 }), {
    minLength: pool.length,
    maxLength: pool.length,
  }),
  fresh: fc.subarray([...pool]),
  by: fc.constantFrom('flag', 'annotation'),
});
const first = fc.subarray([...pool], { minLength: 2, maxLength: 4 });

function apply(
  members: readonly Member[],
  { targets, kept, fresh, by }: Change,
): { readonly now: readonly Member[]; readonly gone: readonly Name[] } {
  const stay = members.filter((_, index) => kept[index]);
  const moved = stay.map(({ name, source, annotated }): Member => {
    const to = targets[pool.indexOf(name)] ?? name;
    const was = by === 'annotation' && to !== name ? name : annotated;
    return { name: to, source, ...(was !== undefined && was !== to && { annotated: was }) };
  });
  const gone = members.filter((_, index) => !kept[index]).map(({ name }) => name);
  const used = new Set<string>([...moved.map(({ name }) => name), ...gone]);
  return { now: [...moved, ...fresh.filter((name) => !used.has(name)).map((name): Member => ({ name, source: undefined }))], gone };
}

function decide(place: string, members: readonly Member[], made: Change, gone: readonly Name[]): Decisions {
  const renamed = members.flatMap(({ name }, index): readonly (readonly [string, string])[] => {
    const to = targetOf(made, name);
    return made.kept[index] && made.by === 'flag' && to !== name ? [[`${place}${name}`, to]] : [];
  });
  return { ...noDecisions, renamed: new Map(renamed), dropped: new Set(gone.map((name) => `${place}${name}`)) };
}

function targetOf({ targets }: Change, name: Name): Name {
  return targets[pool.indexOf(name)] ?? name;
}

function model(members: readonly Member[], nested: boolean): string {
  const properties = members
    .map(({ name, annotated }) => {
      const note = annotated === undefined ? '' : `<Annotation Term="ServiceRules.V1.RenamedFrom" String="${annotated}"/>`;
      return `<Property Name="${name}" Type="Edm.String">${note}</Property>`;
    })
    .join('');
  const own = nested ? '<Property Name="Home" Type="Shop.Home"/>' : properties;
  return `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:Reference Uri="https://gable.example/ServiceRules.V1.xml"><edmx:Include Namespace="ServiceRules.V1"/></edmx:Reference><edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
<ComplexType Name="Home">${nested ? properties : '<Property Name="X" Type="Edm.String"/>'}</ComplexType>
<EntityType Name="Thing"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>${own}</EntityType>
<EntityContainer Name="C"><EntitySet Name="Things" EntityType="Shop.Thing"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`;
}

async function insert({ run }: Scene, members: readonly Member[], nested: boolean): Promise<void> {
  for (const id of [1, 2]) {
    const values = members.map(({ name }) => [name, `${id} ${name}`] as const);
    await (nested
      ? run(`insert into "Thing" ("Id", "Home") values (${id}, ${literal(JSON.stringify(Object.fromEntries(values)))})`)
      : run(
          `insert into "Thing" ("Id", ${values.map(([name]) => quote(name)).join(', ')}) values (${id}, ${values.map(([, value]) => literal(value)).join(', ')})`,
        ));
  }
}

async function check({ run }: Scene, members: readonly Member[], nested: boolean): Promise<void> {
  const row = nested
    ? '"Home"::text'
    : `json_build_object(${members.map(({ name }) => `${literal(name)}, ${quote(name)}`).join(', ')})::text`;
  for (const id of [1, 2]) {
    const [[text] = []] = await run(`select ${row} from "Thing" where "Id" = ${id}`);
    const found = JSON.parse(text ?? '{}') as { readonly [name: string]: string | null };
    for (const { name, source } of members) {
      const expected = source === undefined ? null : `${id} ${source}`;
      if ((found[name] ?? null) !== expected) throw new Error(`${name} is ${found[name]}, and not ${expected}`);
    }
  }
}

// One of the names has or had another meaning.
function isReused(before: readonly Member[], now: readonly Member[], made: Change): boolean {
  return before.some(({ name }, index) => {
    const to = targetOf(made, name);
    return made.kept[index] && to !== name && (before.some((other) => other.name === to) || now.some((other) => other.name === name));
  });
}

async function play(names: readonly Name[], changes: readonly Change[], nested: boolean): Promise<void> {
  let members: readonly Member[] = names.map((name): Member => ({ name, source: name }));
  let texts = migrationsOf(model(members, nested), new Map(), noDecisions);
  await withMigrations(texts, async (scene) => {
    await scene.apply();
    await insert(scene, members, nested);
    for (const made of changes) {
      const { now, gone } = apply(members, made);
      if (now.length === 0) return;
      try {
        texts = migrationsOf(model(now, nested), texts, decide(nested ? 'Thing/Home/' : 'Thing/', members, made, gone));
      } catch (error) {
        // Values within JSON do not change the meaning of a name.
        if (nested && error instanceof UndecidedError && isReused(members, now, made) && error.message.includes('cannot become')) return;
        throw error;
      }
      scene.write(texts);
      await scene.apply();
      const drift = await scene.drift();
      if (drift.length > 0) throw new Error(drift.join('\n'));
      await check(scene, now, nested);
      members = now;
    }
  });
}

for (const nested of [false, true]) {
  test(`renames of ${nested ? 'members of complex values' : 'properties'} in any order keep each value where they say`, async (t) => {
    t.timeout(60_000 + runs * 20_000);
    await fc.assert(
      fc.asyncProperty(first, fc.array(change, { minLength: 1, maxLength: 3 }), (names, changes) => play(names, changes, nested)),
      { numRuns: runs, includeErrorInReport: true },
    );
    t.pass();
  });
}
