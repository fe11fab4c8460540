import { fc } from '../support/fast-check.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import { planPath } from '../../runtime/plan/read/plan-path.js';
import { planCollection } from '../../runtime/plan/read/plan-read.js';
import { createAliases } from '../../runtime/plan/scope.js';
import { compileRead } from '../../runtime/sql/compile-read.js';
import type { Connection, Statement } from '../../runtime/sql/statement.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import type { Entity } from './evaluate.js';
import { printExpression, type Expression } from './expression.js';
import { filterCases, isAskedFor, queryOfFilter, type FilterCase } from './filter-case.js';
import { entitiesOf, itemRows, loadRows } from './records.js';
import { isNum, type Value } from './values.js';

/** Who answers `$filter`: the keys of the items, in order, or the error. */
export type Answer = (query: string) => Promise<string>;

/** The statistics of a run. */
interface Outcome {
  readonly cases: number;
  /** Cases that matched some entities but not all, so that a wrong answer would show. */
  readonly telling: number;
  readonly counterexample?: string;
}

const casesPerDataset = 200;
const rows = itemRows({ min: 30, max: 30 });

/** Random rows, random filters: the service's answer against the evaluator's, until they differ. */
export async function runDifferential(
  answer: Answer,
  connection: Connection,
  { cases, seed }: { readonly cases: number; readonly seed: number },
): Promise<Outcome> {
  const seen = { cases: 0, telling: 0 };
  for (let batch = 0; batch * casesPerDataset < cases; batch += 1) {
    const entities = await loadBatch(connection, seed + batch);
    const check = async (filter: FilterCase): Promise<void> => {
      const expected = expectedKeys(filter, entities);
      seen.cases += 1;
      if (expected !== '' && expected.split(' ').length < entities.length) seen.telling += 1;
      const actual = await answer(queryOfFilter(filter));
      if (actual !== expected) throw new Error(`evaluator ${expected}\nservice   ${actual}`);
    };
    const numRuns = Math.min(casesPerDataset, cases - batch * casesPerDataset);
    const details = await fc.check(fc.asyncProperty(filterCases, check), { seed: seed + batch, numRuns });
    if (details.failed)
      return { ...seen, counterexample: describe(details.counterexample?.[0], entities, details.errorInstance, seed + batch) };
  }
  return seen;
}

/** The query of a filter as it stands in a URL. */
export function queryOf(filter: Expression): string {
  return `$select=Id&$top=1000&$filter=${encodeURIComponent(printExpression(filter))}`;
}

/** The statement that the service makes of a query on the items. */
export function statementOf(query: string, container: EntityContainer): Statement {
  const aliases = createAliases();
  const caller = { subject: 'test', scopes: new Set<string>() };
  const target = planPath(parseResourcePath('/Items'), { container, caller, aliases });
  if (target.kind !== 'collection') throw new Error('Items is a collection.');
  const plan = planCollection(target, parseQueryOptions(query).options, {
    container,
    caller,
    aliases,
    settings: { overTop: 'reject' },
  });
  return compileRead(plan.read);
}

/** Answers without HTTP: planned, compiled and run. The first cell of a row is the key. */
export function directAnswer(container: EntityContainer, connection: Connection): Answer {
  return async (query) => {
    try {
      const found = await connection.run(statementOf(query, container));
      return found.map((row) => row[0]).join(' ');
    } catch (error) {
      return `error: ${String(error)}`;
    }
  };
}

async function loadBatch(connection: Connection, seed: number): Promise<readonly Entity[]> {
  const [dataset = []] = fc.sample(rows, { seed, numRuns: 1 });
  await loadRows(dataset, connection);
  return entitiesOf(dataset);
}

function expectedKeys(filter: FilterCase, entities: readonly Entity[]): string {
  return entities
    .filter((entity) => isAskedFor(filter, entity))
    .map(keyOf)
    .join(' ');
}

function keyOf({ values }: Entity): string {
  const key = values['Id'] as Value;
  return isNum(key) ? String(key.over) : '';
}

function describe(filter: FilterCase | undefined, entities: readonly Entity[], error: unknown, seed: number): string {
  if (filter === undefined) return String(error);
  const statement = error instanceof Error ? error.message : String(error);
  return [
    `seed ${seed}`,
    `/Items?${queryOfFilter(filter)}`,
    decodeURIComponent(queryOfFilter(filter)),
    statement,
    `of ${entities.length} items`,
  ].join('\n');
}
