// Depends on PostgreSQL: SQL.

import test from 'ava';
import { fc } from '../support/fast-check.js';
import { withConnection } from '../../runtime/database/run.js';
import { applyCases, behindOf, printBehind, printSteps } from '../differential/apply-case.js';
import { applyBehind, applySteps, returned, type ApplyRow, type Behind, type Step } from '../differential/apply-evaluate.js';
import { temporalText } from '../differential/calendar.js';
import { entitiesOf, itemRows, loadRows, type ItemRow } from '../differential/records.js';
import { compareWithNull, isNum, isTemporal, numberOf, type Value } from '../differential/values.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/differential/model.xml');
});

test.after.always(() => service.stop());

type Json = { readonly [name: string]: unknown };

const datasets = 4;
const casesPerDataset = 60;

test.serial('$apply gives what an evaluation in memory gives, whole and in pages', async (t) => {
  let telling = 0;
  for (let seed = 1; seed <= datasets; seed += 1) {
    const [rows = []] = fc.sample(itemRows({ min: 12, max: 25 }), { seed, numRuns: 1 });
    await withConnection(service.pool, (connection) => loadRows(rows, connection));
    const check = async (steps: readonly Step[], size: number): Promise<void> => {
      const expected = returned(applySteps(rowsOf(rows), steps), steps);
      if (expected.length > 1) telling += 1;
      const query = `$apply=${encodeURIComponent(printSteps(steps))}`;
      requireSame(printSteps(steps), expected, await walk(`${service.root}/Items?${query}`, 1000));
      requireSame(`${printSteps(steps)} in pages of ${size}`, expected, await walk(`${service.root}/Items?${query}`, size));
    };
    const details = await fc.check(fc.asyncProperty(applyCases, fc.integer({ min: 1, max: 5 }), check), { seed, numRuns: casesPerDataset });
    if (details.failed)
      return t.fail(`dataset ${seed}: ${printSteps(details.counterexample?.[0] ?? [])}\n${String(details.errorInstance)}`);
  }
  t.true(telling > (datasets * casesPerDataset) / 2, `only ${telling} cases gave more than one row`);
});

test.serial('the options behind $apply work on what it gives, page by page', async (t) => {
  let telling = 0;
  const cases = applyCases.chain((steps) => fc.tuple(fc.constant(steps), behindOf(steps)));
  for (let seed = 1; seed <= datasets / 2; seed += 1) {
    const [rows = []] = fc.sample(itemRows({ min: 12, max: 25 }), { seed: 100 + seed, numRuns: 1 });
    await withConnection(service.pool, (connection) => loadRows(rows, connection));
    const check = async ([steps, behind]: readonly [readonly Step[], Behind], size: number): Promise<void> => {
      const expected = applyBehind(applySteps(rowsOf(rows), steps), behind);
      if (expected.rows.length > 1) telling += 1;
      const query = `$apply=${encodeURIComponent(printSteps(steps))}${printBehind(behind)}`;
      requireSame(
        `${printSteps(steps)} ${printBehind(behind)} in pages of ${size}`,
        returned(expected.rows, steps),
        await walk(`${service.root}/Items?${query}`, size, expected.count),
      );
    };
    const details = await fc.check(fc.asyncProperty(cases, fc.integer({ min: 1, max: 5 }), check), { seed, numRuns: casesPerDataset });
    if (details.failed) return t.fail(`dataset ${seed}: ${String(details.errorInstance)}`);
  }
  t.true(telling > (datasets * casesPerDataset) / 8, `only ${telling} cases gave more than one row`);
});

function rowsOf(rows: readonly ItemRow[]): readonly ApplyRow[] {
  return entitiesOf(rows).map((entity, place) => ({ entity, place, cells: new Map(Object.entries(entity.values) as [string, Value][]) }));
}

async function walk(url: string, size: number, count?: number): Promise<readonly Json[]> {
  const found: Json[] = [];
  for (let next: string | undefined = url; next !== undefined;) {
    const response: Response = await fetch(next, {
      headers: { Prefer: `maxpagesize=${size}`, Accept: 'application/json;IEEE754Compatible=true;odata.metadata=none' },
    });
    const page = (await response.json()) as {
      readonly value?: readonly Json[];
      readonly '@odata.nextLink'?: string;
      readonly '@odata.count'?: string;
    };
    if (page.value === undefined || found.length > 1000)
      throw new Error(`${decodeURIComponent(next)} answered ${response.status}: ${JSON.stringify(page)}`);
    if (page['@odata.count'] !== count?.toString())
      throw new Error(`${decodeURIComponent(next)} counts ${page['@odata.count']}, not ${count}.`);
    found.push(...page.value);
    next = page['@odata.nextLink'];
  }
  return found;
}

function requireSame(what: string, expected: readonly ApplyRow[], actual: readonly Json[]): void {
  const shown = expected.map(({ cells }) => [...cells].map(([name, value]) => `${name}=${show(value)}`).join(' '));
  const same = expected.length === actual.length && expected.every(({ cells }, index) => isSame(cells, flatten(actual[index] ?? {})));
  if (!same)
    throw new Error(`${what}\nevaluator\n  ${shown.join('\n  ')}\nservice\n  ${actual.map((row) => JSON.stringify(row)).join('\n  ')}`);
}

function flatten(row: Json, prefix = ''): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? [...flatten(value as Json, `${prefix}${name}/`)]
        : [[`${prefix}${name}`, value] as const],
    ),
  );
}

function isSame(cells: ReadonlyMap<string, Value>, row: ReadonlyMap<string, unknown>): boolean {
  return cells.size === row.size && [...cells].every(([name, value]) => row.has(name) && isSameValue(value, row.get(name)));
}

// An average has no end in decimals, and is compared in fourteen digits.
function isSameValue(expected: Value, actual: unknown): boolean {
  if (expected === null || actual === null) return expected === actual;
  if (!isNum(expected))
    return (isTemporal(expected) ? temporalText(expected) : typeof expected === 'object' ? expected.text : expected) === actual;
  const given = numberOf(String(actual));
  if (compareWithNull(expected, given) === 0) return true;
  const difference = absolute(expected.over * given.under - given.over * expected.under);
  return difference * 10n ** 14n < absolute(expected.over) * given.under && String(actual).includes('.');
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function show(value: Value): string {
  return isNum(value)
    ? `${value.over}/${value.under}`
    : JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}
