import test from 'ava';
import { errors } from '../../runtime/errors/catalogue.js';
import { faultCodes } from '../../generator/faults.js';
import { runGable } from '../support/run-command.js';

test('every code is explained: meaning, example and fix', async (t) => {
  const { status, stdout } = await runGable(['explain', '--list', '--json']);
  t.is(status, 0);
  const found = JSON.parse(stdout) as readonly {
    readonly code: string;
    readonly meaning: string;
    readonly example?: string;
    readonly fix: string;
  }[];
  t.is(new Set(found.map(({ code }) => code)).size, found.length);
  t.deepEqual(found.map(({ code }) => code).sort(), [...new Set([...faultCodes, ...Object.values(errors).map(({ code }) => code)])].sort());
  t.deepEqual(
    found.filter(({ example }) => example === undefined).map(({ code }) => code),
    [],
  );
  for (const { code, meaning, fix } of found) t.true(/[a-z]{3}/.test(meaning) && /[a-z]{3}/.test(fix), code);
});

const explained: { readonly [code: string]: string } = {
  csdl017: `CSDL017 (error): The key property .../... is nullable.

Example:

  <Property Name="HouseKey" Type="Edm.String" MaxLength="40"/>
  The key property House/HouseKey is nullable.

Fix: Add Nullable="false" to the property.

With --lenient: The key property is made non-nullable.
`,
  1020: `1020 (HTTP 401): The token has expired.

Example:

  {"error":{"code":"1020","message":"The bearer token has expired; request a new one.","innererror":{"requestId":"..."}}}

Fix: Get a new token and repeat the request.
`,
};

for (const [code, expected] of Object.entries(explained))
  test(`gable explain ${code}`, async (t) => {
    t.deepEqual(await runGable(['explain', code]), { status: 0, stdout: expected, stderr: '' });
  });

test('an unknown code is refused', async (t) => {
  t.deepEqual(await runGable(['explain', 'CSDL17']), {
    status: 2,
    stdout: '',
    stderr: 'gable explain: there is no code CSDL17. Did you mean CSDL017?\n',
  });
});
