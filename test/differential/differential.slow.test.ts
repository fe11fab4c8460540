// Depends on PostgreSQL: SQL.

import test from 'ava';
import { withConnection } from '../../runtime/database/run.js';
import { directAnswer, runDifferential, type Answer } from './differential.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/differential/model.xml');
});

test.after.always(() => service.stop());

test.serial('every filter finds what the evaluator finds', async (t) => {
  const outcome = await withConnection(service.pool, (connection) =>
    runDifferential(directAnswer(service.container, connection), connection, { cases: 2000, seed: 1 }),
  );
  t.is(outcome.counterexample, undefined, outcome.counterexample);
  t.true(outcome.telling > outcome.cases / 4, `only ${outcome.telling} of ${outcome.cases} filters could tell records apart`);
});

test.serial('and so it does over HTTP', async (t) => {
  const outcome = await withConnection(service.pool, (connection) =>
    runDifferential(httpAnswer(service.root), connection, { cases: 200, seed: 2 }),
  );
  t.is(outcome.counterexample, undefined, outcome.counterexample);
});

function httpAnswer(root: string): Answer {
  return async (query) => {
    const response = await fetch(`${root}/Items?${query}`);
    const body = (await response.json()) as {
      readonly value?: readonly { readonly Id: number }[];
      readonly error?: { readonly message: string };
    };
    return body.value?.map(({ Id }) => Id).join(' ') ?? `error: ${body.error?.message}`;
  };
}
