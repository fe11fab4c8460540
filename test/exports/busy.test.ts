import test from 'ava';
import { container } from '../../generated/index.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { exportRequest } from '../../runtime/features/exports/exports.js';
import type { Service } from '../../runtime/http/service.js';
import { type ODataRequest, wholeResponse, type WholeResponse } from '../../runtime/protocol/message.js';

const service = {
  container,
  settings: { overTop: 'reject' },
  authenticate: () => Promise.resolve({ subject: 'a', scopes: new Set(['listing.read']) }),
} as unknown as Service; // An export needs no other part.

const request = {
  method: 'GET',
  path: '/Office',
  query: '$select=OfficeKey&$format=csv',
  header: () => undefined,
} as unknown as ODataRequest;

const first = page('{"@odata.count":2,"value":[{"OfficeKey":"O1"}],"@odata.nextLink":"https://a.example/odata/Office?$skiptoken=x"}');
const last = page('{"value":[{"OfficeKey":"O2"}]}');

function page(body: string): WholeResponse {
  return { status: 200, headers: {}, body };
}

// The body of an export whose pages are these, or these failures.
async function exported(outcomes: readonly (WholeResponse | Error)[]): Promise<string> {
  const left = [...outcomes];
  const response = await exportRequest.answer(request, service, () => {
    const outcome = left.shift();
    return outcome instanceof Error || outcome === undefined
      ? Promise.reject(outcome ?? new Error('no page is left'))
      : Promise.resolve(outcome);
  });
  return String((await wholeResponse(response)).body);
}

test('a later page that the service is too busy for is asked for again', async (t) => {
  t.is(await exported([first, errors.largePagesBusy(5), last]), 'OfficeKey\r\nO1\r\nO2\r\n');
});

test('a first page that fails, and any other failure, fail the export', async (t) => {
  await t.throwsAsync(exported([errors.largePagesBusy(5)]), { message: /large pages/ });
  await t.throwsAsync(exported([first, errors.staleSkiptoken('the model has changed')]), { message: /outdated/ });
});
