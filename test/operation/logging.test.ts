import test from 'ava';
import { errors } from '../../runtime/errors/catalogue.js';
import { createLogger, loggedFailure } from '../../runtime/tools/operation/logger.js';
import { loggedPath, loggedQuery } from '../../runtime/tools/operation/observe.js';

// oxfmt-ignore
/** Query strings, and what the log shows of them. */
const queries: readonly (readonly [sent: string, shown: string])[] = [
  ['$filter=City%20eq%20%27Toronto%27&$top=5', "$filter=City eq '...'&$top=5"],
  ["$filter=Name eq 'O''Hara' and ListPrice gt 5", "$filter=Name eq '...' and ListPrice gt ..."],
  ['$filter=Born lt 1980-02-03 and Salary gt -5.5e3 and Owner eq 0f3c8a52-9f6b-4a0e-8b1c-2d3e4f5a6b7c', '$filter=Born lt ... and Salary gt ... and Owner eq ...'],
  ['$filter=Line2/any(x:x/Id1 in (1,2)) and year(Sold) eq 2024&$top=%27x%27', "$filter=Line2/any(x:x/Id1 in (...,...)) and year(Sold) eq ...&$top='...'"],
  ["$filter=Name eq 'never closed", "$filter=Name eq '...'"],
  ['$filter=City in ["a","b\\"c"]', '$filter=City in ["...","..."]'],
  ['access_token=secret&x', 'access_token=...&...'],
  ['$skiptoken=abc&$search=Smith', '$skiptoken=...&$search=...'],
  ['%24filter=City+eq+%27x%27', "$filter=City eq '...'"],
  ['$filter=%FF', '$filter=%FF'],
  ['@p=%27secret%27', "@p='...'"],
  ['', ''],
];

for (const [sent, shown] of queries) test(`in the log: ${sent}`, (t) => t.is(loggedQuery(sent), shown));

test('a path is shown with its keys, and without the values of a condition', (t) => {
  t.is(loggedPath("/Property('12')"), "/Property('12')");
  t.is(loggedPath("/Property/$filter(City%20eq%20'x')"), "/Property/$filter(City eq '...')");
});

test('a failure is logged without the data it happened to', (t) => {
  const lines: string[] = [];
  const failure = Object.assign(new Error('invalid input syntax for type integer: "4711 secret"'), {
    code: '22P02',
    sql: 'select secret',
    parameters: ['secret'],
    detail: 'Key (x)=(secret)',
    where: 'secret',
    cause: Object.assign(new Error('below'), { original: { sql: 'secret' } }),
  });
  createLogger('info', { write: (line) => void lines.push(line) }).error({ requestId: 'r1', failure }, 'unexpected failure');
  t.is(lines.length, 1);
  t.false(lines[0]?.includes('secret'));
  t.like(JSON.parse(lines[0] ?? ''), {
    level: 'error',
    requestId: 'r1',
    failure: { code: '22P02', message: 'invalid input syntax for type integer: "..."', cause: { message: 'below' } },
  });
  t.deepEqual(loggedFailure('text'), { message: 'text' });
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), {
    name: 'SequelizeConnectionRefusedError',
    original: { code: 'ECONNREFUSED' },
  });
  const { message, ...known } = loggedFailure(Object.assign(errors.databaseUnavailable(), { cause: refused }));
  t.deepEqual(known, {
    name: 'ODataError',
    code: '1503',
    cause: { name: 'SequelizeConnectionRefusedError', message: 'connect ECONNREFUSED 10.0.0.5:5432', code: 'ECONNREFUSED' },
  });
  t.regex(message, /database is unavailable/);
});
