import { fc } from '../support/fast-check.js';
import { emitSchema } from '../../generator/emit/emit-schema.js';
import { readModel } from '../../generator/generate.js';
import { shownPath } from '../../generator/migrate/model-names.js';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions, type Decisions, type Problem } from '../../generator/migrate/step.js';
import type { ModelGraph } from '../../generator/graph/model-graph.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import { fillStatements } from './fill-tables.js';
import { migrationsOf, withMigrations, type Scene } from './scene.js';
import { chosen, names, parts, printModel, type Choice, type Shape, type Stored } from './variants.js';

/** A model and another one that somebody makes of it. */
interface Pair {
  readonly old: { readonly choice: Choice; readonly shape: Shape };
  readonly now: { readonly choice: Choice; readonly shape: Shape };
}

const shape = fc.record<Shape>({
  name: fc.constantFrom('Thing', 'Thing', 'Item'),
  key: fc.constantFrom('Id', 'Id', 'Code', 'Id Code', 'alias'),
  storage: fc.boolean(),
  namespace: fc.constantFrom('Shop', 'Shop', 'Shop.V2'),
});
const choice = fc.record(
  Object.fromEntries(
    names.map((part) => [
      part,
      fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, { arbitrary: fc.nat(parts[part].length - 1), weight: 3 }),
    ]),
  ),
) as fc.Arbitrary<Choice>;
/** Any pair of small models. */
export const pair: fc.Arbitrary<Pair> = fc
  .record({
    choice,
    shape,
    edits: fc.uniqueArray(fc.record({ part: fc.constantFrom(...names), form: fc.nat(4) }), {
      minLength: 1,
      maxLength: 5,
      selector: ({ part }) => part,
    }),
    next: fc.option(shape, { freq: 3, nil: undefined }),
  })
  .map(({ choice: before, shape: was, edits, next }) => ({
    old: { choice: before, shape: was },
    now: {
      choice: { ...before, ...Object.fromEntries(edits.map(({ part, form }) => [part, form % parts[part].length])) },
      shape: next ?? was,
    },
  }));

/** Goes from one model to the other over rows, and fails where the schema is not that of a fresh one, or where values are lost. */
export async function checkPair({ old, now }: Pair): Promise<void> {
  const [before, after] = [printModel(old.choice, old.shape), printModel(now.choice, now.shape)];
  const first = migrationsOf(before, new Map(), noDecisions);
  const decided = decide(after, first);
  // It was refused, and nothing else can be said.
  if (decided === undefined) return;
  const { texts, problems } = decided;
  await withMigrations(first, async (scene) => {
    await scene.apply();
    for (const text of fillStatements(emitSchema(graphOf(before)))) await scene.run(text);
    const kept = await valuesOf(scene, before, old.choice);
    scene.write(texts);
    await scene.apply();
    const drift = await scene.drift();
    if (drift.length > 0) throw new Error(drift.join('\n'));
    compare(kept, await valuesOf(scene, after, now.choice), problems);
    await noStrayChunks(scene, after);
  });
}

/** The decisions of somebody who knows the changes: renames are annotated in the model, so no question is one. */
function decide(
  model: string,
  first: ReadonlyMap<string, string>,
): { readonly texts: ReadonlyMap<string, string>; readonly problems: readonly Problem[] } | undefined {
  const said = {
    allowLossy: false,
    renamed: new Map<string, string>(),
    dropped: new Set<string>(),
    values: new Set<string>(),
    fills: new Map<string, string>(),
  } satisfies Decisions;
  const all: Problem[] = [];
  let allowLossy = false;
  for (let round = 0; round < 20; round++) {
    try {
      return { texts: migrationsOf(model, first, { ...said, allowLossy }), problems: all };
    } catch (error) {
      if (!(error instanceof UndecidedError)) throw error;
      if (error.problems.some(({ message }) => message.includes('would become the table of'))) return undefined;
      // Referenced tables are decided first, since others depend on them.
      const tables = error.problems.filter(
        ({ kind, column, table }) => kind === 'rename' && column === undefined && !table.startsWith('#'),
      );
      const asked = tables.length > 0 ? tables : error.problems;
      all.push(...asked);
      for (const problem of asked) {
        const path = problem.column === undefined ? problem.table : `${problem.table}/${problem.column}`;
        if (problem.kind === 'fill') said.fills.set(path, fillOf(problem));
        else if (problem.kind === 'rename' && problem.column === undefined) said.renamed.set(path, problem.candidate ?? '');
        else if (problem.kind === 'rename' || problem.message.includes('--dropped')) said.dropped.add(path);
        else allowLossy = true;
      }
    }
  }
  throw new Error(
    `There is no end of questions: ${all
      .slice(-3)
      .map(({ message }) => message)
      .join('\n')}`,
  );
}

function fillOf({ column, message }: Problem): string {
  if (column === 'Spot') return `'{"Number": 1}'`;
  return message.includes('Edm.Boolean') ? "'true'" : "'1'";
}

function graphOf(model: string): ModelGraph {
  return readModel({ path: 'model.xml', bytes: Buffer.from(model) }).graph;
}

/** The texts of all values of a part, over the tables of things, each with its record's number. */
type Values = ReadonlyMap<string, { readonly stored: Stored; readonly rows: ReadonlySet<string> }>;

async function valuesOf({ run }: Scene, model: string, made: Choice): Promise<Values> {
  const graph = graphOf(model);
  const schema = emitSchema(graph);
  const tables = graph.tables
    .filter(({ qualifiedName }) => /\.(Thing|Item)$/.test(qualifiedName))
    .flatMap(({ table }) => schema.tables.filter(({ name }) => name === table));
  const found = new Map<string, { stored: Stored; rows: Set<string> }>();
  for (const [part, { property }] of chosen(made)) {
    if (property === undefined) continue;
    const rows = new Set<string>();
    for (const { name, columns } of tables) {
      const value = columns.some((column) => column.name === property.name)
        ? `${quote(property.name)}::text`
        : `"#more" ->> ${literal(property.name)}`;
      for (const row of await run(`select "#id"::text || ' ' || (${value}) from ${quote(name)} where ${value} is not null`))
        rows.add(String(row[0]));
    }
    found.set(part, { stored: property, rows });
  }
  for (const { navigation } of graph.tables)
    for (const {
      name,
      navigation: { through },
    } of navigation) {
      if (through === undefined || !['Owners', 'Holders', 'Things'].includes(name)) continue;
      const rows = await run(`select ${quote(through.own)} || ' ' || ${quote(through.other)} from ${quote(through.table)}`);
      const part = name === 'Things' ? 'pairs of owners' : 'pairs of things';
      const known = found.get(part)?.rows ?? new Set<string>();
      found.set(part, { stored: { name: through.table, kind: part }, rows: new Set([...known, ...rows.map(([row]) => String(row))]) });
    }
  return found;
}

function compare(before: Values, after: Values, problems: readonly Problem[]): void {
  for (const [part, { stored, rows }] of before) {
    const now = after.get(part);
    const names = [stored.name, now?.stored.name ?? '', shownPath('', stored.name)[1]];
    const isTold = problems.some(
      ({ table, column, kind }) =>
        kind !== 'fill' &&
        (column === undefined || column.includes('.') || names.includes(column) || [table, `#${table}_${column}`].includes(stored.name)),
    );
    if (now === undefined || now.stored.kind !== stored.kind || isTold) continue;
    const lost = [...rows].filter((row) => !now.rows.has(row));
    if (lost.length > 0)
      throw new Error(`${part} (${stored.name} to ${now.stored.name}) lost ${lost.join('; ')} and has ${[...now.rows].join('; ')}`);
  }
}

// Every chunk is of a stream that a record has, and every stream has its chunks.
async function noStrayChunks({ run }: Scene, model: string): Promise<void> {
  const { tables } = emitSchema(graphOf(model));
  if (!tables.some(({ name }) => name === '#stream')) return;
  const ids = tables
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => column.name.endsWith('.stream'))
        .map((column) => `select ${quote(column.name)} as id from ${quote(name)} where ${quote(column.name)} is not null`),
    )
    .join(' union all ');
  const stray = await run(`select count(*) from "#stream" where "#stream" not in (${ids})`);
  const empty = await run(`select count(*) from (${ids}) as streams where id not in (select "#stream" from "#stream")`);
  if (stray[0]?.[0] !== '0' || empty[0]?.[0] !== '0')
    throw new Error(`${stray[0]?.[0]} chunks of no stream, ${empty[0]?.[0]} streams without chunks`);
}
