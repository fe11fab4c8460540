import test from 'ava';
import { payloadOf, testOf } from '../../runtime/features/webhooks/formats.js';
import type { HookFormat } from '../../runtime/features/webhooks/hook.js';
import { listing } from '../../runtime/extensions/listing/listing.js';
import type { Change } from '../../runtime/features/changes/read-changes.js';
import { checkCases } from '../support/cases.js';

const source = { root: 'https://listings.example/odata', container: listing.container };
const at = '2026-01-02T03:04:05.678Z';
const changes: readonly Change[] = [
  { number: '9007199254740993', set: 'Property', operation: 'create', key: '235021', at },
  { number: '9007199254740994', set: 'Property', operation: 'update', key: '235021', at },
  { number: '9007199254740995', set: 'Media', operation: 'delete', key: `O'Hara "1"`, at },
];

test('the formats of deliveries', async (t) => {
  await checkCases(t, 'webhooks/formats.case', {
    request: (input) => {
      const [format = '', isTest] = input.split(' ');
      const { method, headers, body } = isTest ? testOf(format as HookFormat, source) : payloadOf(format as HookFormat, changes, source);
      const text = body.replace(/"timestamp":"20(?!26-01-02)[^"]*"/, '"timestamp":"<now>"').replaceAll('},{', '},\n{');
      return [method, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), text].join('\n').trimEnd();
    },
  });
});
