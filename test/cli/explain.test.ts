import test from 'ava';
import { migrationCodes } from '../../runtime/errors/migration-codes.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { rules } from '../../generator/diff/rules.js';
import { runExplanations } from '../../generator/explanations.js';
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
  const coded = [...Object.values(migrationCodes), ...Object.values(errors), ...runExplanations].map(({ code }) => code);
  t.deepEqual(found.map(({ code }) => code).sort(), [...new Set([...faultCodes, ...coded, ...Object.keys(rules)])].sort());
  t.deepEqual(
    found.filter(({ code, example }) => example === undefined && !(code in rules)).map(({ code }) => code),
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
  migr004: `MIGR004 (gable generate): A decision names something that neither the model nor the migrations have.

Example:

  --renamed Order/Remrk=Comment: neither the model nor the migrations have Remrk. Did you mean Remark?

Fix: Correct the name; names are TYPE, TYPE/PROPERTY or TYPE/PROPERTY/MEMBER, as in the model; TYPE may have its namespace.
`,
  'property-renamed': `property-renamed (consumers breaking, types breaking, database patch): OLD was renamed to NAME; the column is renamed.

Fix: Keep the former element next to the new one until nothing uses it, or release the change with a major version and describe it in the changelog.
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

for (const [code, meant] of [
  ['CSDL17', 'CSDL017'],
  ['MIG001', 'MIGR001'],
  ['Property-Remved', 'property-removed'],
])
  test(`an unknown code is refused: ${code}`, async (t) => {
    t.deepEqual(await runGable(['explain', code ?? '']), {
      status: 2,
      stdout: '',
      stderr: `gable: There is no code ${code}. Did you mean ${meant}?\n`,
    });
  });
