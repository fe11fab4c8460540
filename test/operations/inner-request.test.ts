import test from 'ava';
import { container } from '../../generated/index.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { askWithin } from '../../runtime/features/operations/http/inner-request.js';
import type { Exchange } from '../../runtime/http/service.js';
import { createAliases } from '../../runtime/plan/scope.js';

const caller = { subject: 'a handler', scopes: new Set<string>(['listing.read.all', 'listing.write']) };
const exchange = {
  request: { id: 'outer' },
  service: { container },
  context: { container, caller, aliases: createAliases(), settings: { overTop: 'reject' } },
} as unknown as Exchange; // The part that an inner request uses.

// The store reports that the precondition failed.
const ask = askWithin(exchange, caller, () => Promise.reject(errors.preconditionFailed()));
const parts = [{ name: 'Office', key: { kind: 'single', literal: { text: 'O1', quoted: true } } }] as const;

test('a record that is not there is 404 to a handler that asks for no state', async (t) => {
  for (const body of [undefined, {}, { OfficeName: '@odata.etag' }])
    await t.throwsAsync(ask({ method: 'PATCH', parts, ...(body && { body }) }), { message: /There is no record with that key/ });
});

test('a state that a handler asks for and does not find is 412', async (t) => {
  for (const body of [{ '@odata.etag': 'W/"1"' }, { '@etag': 'W/"1"' }, { Members: [{ '@odata.etag': 'W/"1"' }] }])
    await t.throwsAsync(ask({ method: 'PATCH', parts, body }), { message: /has changed since its ETag/ });
});
