import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { readConfig, readSettings } from '../../runtime/config/config.js';
import { settings, type Setting } from '../../runtime/config/settings.js';

test('the page of settings says what the table holds', (t) => {
  const rows = Object.entries(settings).map(([name, row]) => {
    const { variable, about, rule, fallback, show } = row as Setting<unknown>;
    const shown = show(fallback);
    return `| \`${variable}\` | \`${name}\` | ${shown === '' ? '' : `\`${shown}\``} | ${about} It ${rule}. |`;
  });
  const page = `# Settings

Settings are environment variables, or members of the JSON object in \`gable.json\` (\`GABLE_CONFIG\` names another file). The environment takes precedence; an empty variable counts as missing.
All settings are checked at the start, and all faults are reported together; unknown names are faults.
\`gable config\` prints every value and its source, with secrets masked.

| Variable | In the file | Default | Purpose |
|---|---|---|---|
${rows.join('\n')}

## Poolers and standbys

Behind a pooler in transaction mode (\`pool_mode = transaction\` of PgBouncer); one in session mode needs nothing:

- Every transaction sets the time limits and formats that are not defaults of the role. To save that, run \`gable database prepare\`, which makes them defaults, then \`RECONNECT\`, and start \`gable serve\` again.
- Use PgBouncer 1.25.2 or later with \`max_prepared_statements = 200\`. Where prepared statements are not supported, \`gable serve\` logs it and sends statements without names.
- Set \`GABLE_MIGRATE_URL\` to the address of the PostgreSQL server itself: through the pooler, \`gable migrate\` exits with 2. Run \`RECONNECT\` after a migration.
- Let \`default_pool_size\` exceed the large pages of all processes (\`GABLE_LARGE_PAGES\`): each holds a server connection until its client has read it.

Without \`sslmode\` connections to the database are not encrypted. With \`?sslmode=verify-full\` they are, and the server's certificate is verified; \`NODE_EXTRA_CA_CERTS\` names a file with certificates of your own authority. \`require\` encrypts without verifying.

With several hosts, \`DATABASE_URL=postgres://gable@one:5432,two:5432/listings\` connects to the one that accepts changes (\`target_session_attrs=read-write\` of libpq), and after a failover to the new one; each host has a second to answer. With \`GABLE_READ_ONLY=true\`, the first that answers will do.

On a standby, reads work and writes answer 503 (1507). With \`GABLE_READ_ONLY=true\`, writes answer 405, and the service is ready.

## Readiness

\`/health/ready\` answers 200 if requests can be served, otherwise 503. The body has the reason:

| Member | Values |
|---|---|
| \`status\` | \`up\` if ready, otherwise \`down\` |
| \`database\` | \`up\`; \`read-only\` on a standby (ready with \`GABLE_READ_ONLY=true\`); \`busy\` if all connections are taken and requests wait for one; \`down\`; \`unknown\` |
| \`migrations\` | \`current\`; \`newer\` if a newer release has migrated the database (still ready); \`missing\` until \`gable migrate\` has run; \`unknown\` |
| \`schema\` | with current migrations: \`current\` if the database is as the migrations say, \`different\` if not (still ready; the log and \`gable migrate verify\` list the differences), \`unknown\` until it is compared, in the background at the first question and then once a minute until it is current, and where it cannot be: while a migration is unfinished, through a pooler, on a standby, or without the right to create a schema |
| \`draining\` | whether the process is stopping |
| \`replicas\` | with \`DATABASE_REPLICAS\`: how many serve, how many are ejected because they fail or lag, and the longest lag of those that serve, in milliseconds; without them the primary serves |
`;
  if (process.env['UPDATE'] === '1') writeFileSync('SETTINGS.md', page);
  t.is(page, readFileSync('SETTINGS.md', 'utf8'));
});

test('variables and names are each used once', (t) => {
  const variables = Object.values(settings).map(({ variable }) => variable);
  t.deepEqual(variables, [...new Set(variables)]);
});

// A good one, but for what is given.
function issuerWith(member: string): string {
  const good = { issuer: 'i', audience: 'a', jwksUrl: 'https://i.example/jwks' };
  return JSON.stringify([{ ...good, ...(JSON.parse(`{${member}}`) as object) }]);
}

const algorithmRule =
  'Issuer 1: algorithms must be an array with some of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA.';

// oxfmt-ignore
/** Invalid issuers, with the parts that are reported. */
const issuerFaults: readonly (readonly [text: string, ...parts: string[]])[] = [
  ['{', 'It is not a JSON array.'],
  ['{}', 'It is not a JSON array.'],
  ['[{}]', 'Issuer 1: issuer must be a string.', 'Issuer 1: audience must be a string.', 'Issuer 1: jwksUrl must be an https address.'],
  ['[null]', 'Issuer 1: it must be an object.'],
  [issuerWith('"jwksUrl":"http://i.example/jwks"'), 'Issuer 1: jwksUrl must be an https address.'],
  ...['["HS256"]', '[]', '["none"]', '["ES256","ES256"]', '"ES256"'].map((list) => [issuerWith(`"algorithms":${list}`), algorithmRule] as const),
  [issuerWith('"audience":""'), 'Issuer 1: audience must be a string.'],
  [issuerWith('"other":1'), 'Issuer 1: there is no member other.'],
  [issuerWith('"audiance":"a"'), 'Issuer 1: there is no member audiance. Did you mean audience?'],
  [`[${issuerWith('"issuer":"j"').slice(1, -1)},${issuerWith('"issuer":1').slice(1)}`, 'Issuer 2: issuer must be a string.'],
];

const databaseRule =
  'DATABASE_URL: must have the form postgres://user:password@host:5432/database, with several hosts as host:5432,host:5432, special characters percent-encoded and no parameters other than sslmode (disable, require or verify-full), host, application_name.';

// oxfmt-ignore
/** Invalid settings, with the message for each. */
const faulty: readonly { readonly environment: Readonly<Record<string, string>>; readonly faults: readonly string[] }[] = [
  { environment: { PORT: '65536' }, faults: ["PORT: must be a whole number from 0 to 65535; it is '65536'."] },
  { environment: { PORT: '80x' }, faults: ["PORT: must be a whole number from 0 to 65535; it is '80x'."] },
  { environment: { PORT: '1e3' }, faults: ["PORT: must be a whole number from 0 to 65535; it is '1e3'."] },
  { environment: { GABLE_PREPARE: 'yes' }, faults: ["GABLE_PREPARE: must be true or false; it is 'yes'."] },
  { environment: { GABLE_PUBLIC_URL: 'ftp://x' }, faults: ["GABLE_PUBLIC_URL: must be an http or https address without query or user, and without the /odata that links add; it is 'ftp://x'."] },
  ...['https://user:pass@x', 'https://user@x/a', 'http:///a', 'http://x:99999', 'https://x/?a=b', 'https://x/#a', 'https://x/odata/'].map((address) => ({ environment: { GABLE_PUBLIC_URL: address }, faults: [`GABLE_PUBLIC_URL: must be an http or https address without query or user, and without the /odata that links add; it is '${address}'.`] })),
  { environment: { GABLE_PUBLIC_URL: 'https://[::1]:8443/api/' }, faults: [] },
  { environment: { GABLE_PUBLIC_URL: 'HTTPS://Listings.example' }, faults: [] },
  { environment: { DATABASE_URL: 'mysql://user:password@host/x' }, faults: [databaseRule] },
  ...['pass/word', '1/word', '1?word', 'p@ss', 'p@ss#word', 'p#ss', '100%'].map((word) => ({ environment: { DATABASE_URL: `postgres://user:${word}@host:5561/x` }, faults: [databaseRule] })),
  { environment: { DATABASE_URL: 'postgres://host/x#y' }, faults: [databaseRule] },
  { environment: { DATABASE_REPLICAS: 'postgres://user:p@ss#word@host/x' }, faults: [databaseRule.replace('DATABASE_URL: must have', 'DATABASE_REPLICAS: must be addresses separated by commas, each of')] },
  { environment: { DATABASE_REPLICAS: 'postgres://one/x, postgress://two/x,postgres://three' }, faults: [`${databaseRule.replace('DATABASE_URL: must have', 'DATABASE_REPLICAS: must be addresses separated by commas, each of')} Item 2 of 3 breaks the rule.`] },
  { environment: { DATABASE_URL: 'postgres://user:p%40ss%23word@host/x?application_name=a@b' }, faults: [] },
  { environment: { DATABASE_URL: 'postgres://user:a%2Cb@one:5432,two:5433,[::1]/x?sslmode=require' }, faults: [] },
  ...['one:5432,,two', 'one,two:99999', ','].map((hosts) => ({ environment: { DATABASE_URL: `postgres://user@${hosts}/x` }, faults: [databaseRule] })),
  { environment: { DATABASE_URL: 'postgres://host/x?sslmode=verify-full&sslrootcert=ca.pem' }, faults: [databaseRule] },
  ...['VERIFY-FULL', 'on', ''].map((mode) => ({ environment: { DATABASE_URL: `postgres://host/x?sslmode=${mode}` }, faults: [databaseRule] })),
  { environment: { GABLE_OPERATIONS_PORT: '4004' }, faults: ['GABLE_OPERATIONS_PORT: must differ from PORT; both are 4004.'] },
  { environment: { GABLE_TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, faults: ["GABLE_TRUSTED_PROXIES: must be addresses or networks such as 10.0.0.0/8, separated by commas; it is '10.0.0.0/8, proxy'. Item 2 of 2 breaks the rule."] },
  { environment: { GABLE_TRUSTED_PROXIES: '10.0.0.0/33' }, faults: ["GABLE_TRUSTED_PROXIES: must be addresses or networks such as 10.0.0.0/8, separated by commas; it is '10.0.0.0/33'."] },
  { environment: { GABLE_TRUSTED_PROXIES: '::1/64,10.1.2.3' }, faults: [] },
  ...['short', 'a'.repeat(64), ' '.repeat(40), 'abcdefg'.repeat(9)].map((value) => ({ environment: { GABLE_SECRET: value }, faults: ['GABLE_SECRET: must have at least 32 characters, 8 of them different.'] })),
  { environment: { GABLE_ISSUERS: '[{"issuer":"i","audience":"a","jwksUrl":"https://i.example/jwks","algorithms":["ES256"]}]' }, faults: [] },
  ...issuerFaults.map(([text, ...parts]) => ({
    environment: { GABLE_ISSUERS: text },
    faults: [[`GABLE_ISSUERS: must be a JSON array of objects with issuer, audience, jwksUrl (https) and optionally algorithms (default RS256 and ES256); it is '${text}'.`, ...parts].join(' ')],
  })),
  { environment: { GABLE_STATIC_TOKENS: `${'0'.repeat(64)}:feed:a b,${'1'.repeat(64)}:other:c` }, faults: [] },
  { environment: { GABLE_STATIC_TOKENS: 'a-token-in-the-clear:feed:a' }, faults: ['GABLE_STATIC_TOKENS: must have the form SHA256:SUBJECT:SCOPE SCOPE.'] },
  { environment: { GABLE_POOL: '5' }, faults: ['GABLE_POOL: there is no such setting. Did you mean GABLE_POOL_SIZE?'] },
  { environment: { GABLE_TOKENS: 'x', GABLE_TOKEN: 'x', GABLE_CLIENT_SECRET: 'x' }, faults: ['GABLE_TOKENS: there is no such setting. Did you mean GABLE_TOKEN?'] },
  { environment: { GABLE_OVERTOP: 'clamp' }, faults: ['GABLE_OVERTOP: there is no such setting. Did you mean GABLE_OVER_TOP?'] },
  { environment: { DATABASE_REPLICA: 'postgres://host/x' }, faults: ['DATABASE_REPLICA: there is no such setting. Did you mean DATABASE_REPLICAS?'] },
  { environment: { GABLE_PORT: '4004' }, faults: ['GABLE_PORT: there is no such setting. Did you mean PORT?'] },
  { environment: { GABLE_DATABASE_URL: 'postgres://host/x' }, faults: ['GABLE_DATABASE_URL: there is no such setting. Did you mean DATABASE_URL?'] },
  { environment: { GABLE_REPLICAS: 'postgres://host/x' }, faults: ['GABLE_REPLICAS: there is no such setting. Did you mean DATABASE_REPLICAS?'] },
  { environment: { GABEL_SECRET: 'x'.repeat(40) }, faults: ['GABEL_SECRET: there is no such setting. Did you mean GABLE_SECRET?'] },
  { environment: { database_url: 'postgres://host/x' }, faults: ['database_url: there is no such setting. Did you mean DATABASE_URL?'] },
  { environment: { DATABASE_URI: 'postgres://host/x', DATABASE_URL: 'postgres://host/x' }, faults: [] },
  { environment: { DATABASE_NAME: 'x', DATABASE_PORT: '1', SORT: 'x', port: 'x' }, faults: [] },
  { environment: { GABLE_STATEMENT_TIMEOUT: '5' }, faults: ["GABLE_STATEMENT_TIMEOUT: must be a whole number from 100 to 600000; it is '5'."] },
  { environment: { PORT: '-1', GABLE_POOL_SIZE: '' , GABLE_OVER_TOP: 'x' }, faults: ["PORT: must be a whole number from 0 to 65535; it is '-1'.", "GABLE_OVER_TOP: must be reject or clamp; it is 'x'."] },
];

for (const { environment, faults } of faulty) {
  test(`refused: ${JSON.stringify(environment)}`, (t) => t.deepEqual(readSettings(environment).faults, faults));
}

/** Files that cannot be used. */
const faultyFiles: readonly { readonly text: string; readonly faults: readonly string[] }[] = [
  { text: '{"port": 70000}', faults: ["port: must be a whole number from 0 to 65535; it is '70000'."] },
  { text: '{"poolSise": 80}', faults: ['FILE: there is no setting poolSise. Did you mean poolSize?'] },
  { text: '[]', faults: ['FILE: must contain one JSON object.'] },
  { text: '{"secret": "short"}', faults: ['secret: must have at least 32 characters, 8 of them different.'] },
  {
    text: '{"host": null, "port": null}',
    faults: ['FILE: host is null; omit it for its default.', 'FILE: port is null; omit it for its default.'],
  },
  { text: '\uFEFF{"port": "x"}', faults: ["port: must be a whole number from 0 to 65535; it is 'x'."] },
  { text: '{"webhookTries": [5, 0.5], "corsOrigins": ["https://one.example", "https://two.example"]}', faults: [] },
  { text: '{"constructor": 1}', faults: ['FILE: there is no setting constructor.'] },
];

for (const { text, faults } of faultyFiles) {
  test(`refused as a file: ${text}`, (t) => {
    const path = fileOf(t.teardown.bind(t), text);
    t.deepEqual(
      readSettings({ GABLE_CONFIG: path }).faults.map((fault) => fault.replace(path, 'FILE')),
      faults,
    );
  });
}

test('a file that is no JSON is refused without its text, which may hold a secret', (t) => {
  const path = fileOf(t.teardown.bind(t), '{"secret": "abc');
  const { faults } = readSettings({ GABLE_CONFIG: path });
  t.is(faults.length, 1);
  t.false(faults[0]?.includes('abc'));
  t.regex(readSettings({ GABLE_CONFIG: '/nowhere/gable.json' }).faults[0] ?? '', /^\/nowhere\/gable\.json: cannot be read/);
});

test('the environment wins over the file, the file over the default', (t) => {
  const path = fileOf(t.teardown.bind(t), '{"port": 1234, "host": "::1", "publicMetadata": true}');
  const { values, sources } = readSettings({ GABLE_CONFIG: path, PORT: '99', HOST: '' });
  t.like(values, { port: 99, host: '::1', publicMetadata: true, poolSize: 10 });
  t.like(sources, { port: 'environment', host: 'file', poolSize: 'default' });
});

test('gable config masks what is secret, and ends with 2 when a value cannot be used', (t) => {
  const environment = {
    PATH: process.env['PATH'],
    GABLE_SECRET: 'a secret that has enough characters in it',
    DATABASE_URL: 'postgres://user:pass%20word@host/db?sslmode=require',
  };
  for (const args of [[], ['--json']]) {
    const output = execFileSync(process.execPath, ['dist/gable.js', 'config', ...args], { env: environment, encoding: 'utf8' });
    t.regex(output, /postgres:\/\/user:\*{8}@host\/db\?sslmode=require/);
    t.notRegex(output, /pass%20word|enough characters/);
  }
  const failed = spawnSync(process.execPath, ['dist/gable.js', 'config'], {
    env: { ...environment, PORT: 'x', GABLE_SECRET: 'tiny' },
    encoding: 'utf8',
  });
  t.is(failed.status, 2);
  t.is(
    failed.stderr,
    "gable: PORT: must be a whole number from 0 to 65535; it is 'x'.\nGABLE_SECRET: must have at least 32 characters, 8 of them different.\n",
  );
});

test('origins have the form in which browsers send them', (t) => {
  const { corsOrigins } = readSettings({ GABLE_CORS_ORIGINS: 'HTTPS://App.Example:443,http://one.example:8080' }).values;
  t.deepEqual(corsOrigins, ['https://app.example', 'http://one.example:8080']);
});

test('the scope of explanations can be none', (t) => {
  t.is(readSettings({ GABLE_EXPLAIN_SCOPE: 'none' }).values.explainScope, '');
  t.is(settings.explainScope.show(''), 'none');
});

test('what Kubernetes says of a service called gable is no setting', (t) => {
  const links = {
    GABLE_SERVICE_HOST: '10.0.0.1',
    GABLE_SERVICE_PORT: '4004',
    GABLE_SERVICE_PORT_HTTP: '4004',
    GABLE_PORT: 'tcp://10.0.0.1:4004',
    GABLE_PORT_4004_TCP: 'tcp://10.0.0.1:4004',
    GABLE_PORT_4004_TCP_PROTO: 'tcp',
    GABLE_PORT_4004_TCP_PORT: '4004',
    GABLE_PORT_4004_TCP_ADDR: '10.0.0.1',
  };
  t.deepEqual(readSettings(links).faults, []);
  t.deepEqual(
    readSettings({ GABLE_PORT: '4004' }).faults.map((fault) => fault.slice(0, 37)),
    ['GABLE_PORT: there is no such setting.'],
  );
});

test('a secret is made once and kept; one that cannot be used is refused with its file', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gable-secret-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const secretOf = (): string => readConfig({ GABLE_DIRECTORY: directory }).token.secret;
  const made = secretOf();
  t.is(secretOf(), made);
  t.deepEqual(readdirSync(directory), ['secret']);
  // The file after a full disk.
  writeFileSync(join(directory, 'secret'), '');
  t.throws(secretOf, {
    name: 'ConfigError',
    message: `${join(directory, 'secret')}: must have at least 32 characters, 8 of them different. Delete it to generate a new one; this invalidates existing tokens and page links.`,
  });
});

function fileOf(teardown: (work: () => void) => void, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gable-settings-'));
  teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'gable.json');
  writeFileSync(path, text);
  return path;
}
