import { readFileSync } from 'node:fs';
import test from 'ava';
import { createLogMeters } from '../../runtime/features/changes/changes.js';
import { createHookMeters } from '../../runtime/features/webhooks/webhooks.js';
import { createMetrics, metersOf } from '../../runtime/tools/operation/metrics.js';
import { startService } from '../support/service.js';
import { until } from './until.js';

const idle = { using: 0, available: 1, waiting: 0, most: 1 };

test('figures of the change log are absent until they are measured', async (t) => {
  const metrics = createMetrics(() => idle);
  const note = createLogMeters(metersOf(metrics.registry));
  const shown = async (): Promise<readonly string[]> => (await metrics.registry.metrics()).match(/^gable_changes_.*/gm) ?? [];
  t.deepEqual(await shown(), []);
  note({ rows: 3, bytes: 0, age: 2, lag: 0 });
  t.deepEqual(await shown(), ['gable_changes_rows 3', 'gable_changes_bytes 0', 'gable_changes_age_seconds 2', 'gable_changes_lag 0']);
});

test('the change log is measured when a process starts', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const { origin } = new URL(service.root);
  await t.notThrowsAsync(until(async () => /^gable_changes_bytes [1-9]/m.test(await (await fetch(`${origin}/metrics`)).text())));
});

const { registry } = createMetrics(() => idle);
// Metrics of optional features are added where they are used.
const added = [...readFileSync('runtime/main.ts', 'utf8').matchAll(/'(gable_\w+)'/g)].map(([, name]) => name ?? '');
createHookMeters(metersOf(registry));
createLogMeters(metersOf(registry));
const names = new Set([...registry.getMetricsAsArray().map(({ name }) => name), ...added]);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

test('the dashboard and the page about operation name metrics that the service has', (t) => {
  const { panels } = JSON.parse(readFileSync('runtime/tools/operation/dashboard.json', 'utf8')) as Dashboard;
  const queried = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const told = readFileSync('OPERATING.md', 'utf8');
  const named = [...queried, told].flatMap((text) => [...text.matchAll(/\b(?:gable|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name));
  t.true(named.length > panels.length);
  t.deepEqual(
    named.filter((name) => !names.has(name.replace(/_(bucket|count|sum)$/, ''))),
    [],
  );
});

test('every panel has queries', (t) => {
  const { panels } = JSON.parse(readFileSync('runtime/tools/operation/dashboard.json', 'utf8')) as Dashboard;
  t.deepEqual(
    panels.filter(({ targets }) => targets.length === 0).map(({ title }) => title),
    [],
  );
});
