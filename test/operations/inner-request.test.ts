import test from 'ava';
import { errors } from '../../runtime/errors/catalogue.js';
import { throwFailure } from '../../runtime/features/operations/http/inner-request.js';

test('a record that is not there is 404 to a handler that asks for no state', (t) => {
  for (const body of [undefined, {}, { OfficeName: '@odata.etag' }])
    t.throws(() => throwFailure(errors.preconditionFailed(), { ...(body && { body }) }), { message: /There is no record with that key/ });
});

test('a state that a handler asks for and does not find is 412', (t) => {
  for (const body of [{ '@odata.etag': 'W/"1"' }, { '@etag': 'W/"1"' }, { Members: [{ '@odata.etag': 'W/"1"' }] }])
    t.throws(() => throwFailure(errors.preconditionFailed(), { body }), { message: /has changed since its ETag/ });
});
