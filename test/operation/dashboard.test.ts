import { readFileSync } from 'node:fs';
import test from 'ava';
import { createLogMeters } from '../../runtime/features/changes/keeping.js';
import { createHookMeters } from '../../runtime/features/webhooks/hook-meters.js';
import { createMetrics, metersOf } from '../../runtime/tools/operation/metrics.js';

const { registry } = createMetrics(() => ({ using: 0, available: 0, waiting: 0, most: 1 }));
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
