import test from 'ava';
import { errors } from '../../runtime/errors/catalogue.js';
import { renderError } from '../../runtime/errors/odata-error.js';

const long = 'x'.repeat(64_000);

test('names and values that are too long for a model are cut in every text of an error', (t) => {
  const detail = errors.unknownBodyProperty(long, 'Property', '').at(long).asDetail();
  const body = renderError(errors.unknownName('a b '.repeat(16_000), 'Property', '').at(long).with([detail, detail]), { requestId: 'id' });
  t.true(body.length < 4_000, String(body.length));
  t.true(body.includes(`Property has no property ${'x'.repeat(256)}...`));
  t.true(body.includes('Property has no a b a b '));
});

test('names of the longest kind stay as they are, and no character is cut in half', (t) => {
  const longestOfModel = 'N'.repeat(128);
  t.true(
    renderError(errors.unknownName(`${longestOfModel}/${longestOfModel}`.slice(0, 256), 'Property', ''), { requestId: 'id' }).includes(
      'NN.',
    ),
  );
  t.false(/\\ud83d(?!\\)/i.test(renderError(errors.unknownName('😀'.repeat(2_000), 'Property', ''), { requestId: 'id' })));
});

test('an error for a resource without methods does not announce a list of them', (t) => {
  t.is(errors.methodNotAllowed('POST', '').message, 'POST is not supported here; no method is.');
  t.is(errors.methodNotAllowed('POST', 'GET, HEAD').message, 'POST is not supported here; the supported methods are: GET, HEAD.');
});
