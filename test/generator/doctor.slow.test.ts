import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { runGableIn, type Run } from '../support/run-gable.js';

const cases = fileURLToPath(new URL('../../../test/generator/cases/', import.meta.url));

function run(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = { NO_COLOR: '1' }): Promise<Run> {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...rest } = process.env;
  return runGableIn(cwd, args, { ...rest, ...env });
}

function project(t: ExecutionContext, name: string, files: { readonly [path: string]: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'gable-doctor-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'model'));
  cpSync(join(cases, name, 'model.xml'), join(folder, 'model', 'metadata.xml'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

test('the doctor says what was inferred by which rule, and what needs a decision', async (t) => {
  const folder = project(t, 'inferred-joins');
  const { code, out } = await run(folder, ['doctor']);
  t.is(code, 0);
  t.is(
    out,
    [
      'Inferred (4)',
      '  named-key: Nav is to-one, and the type has a property NavKey, NavId or Nav followed by the name of the key.',
      '    model/metadata.xml:11:9 House/ListAgent: House/ListAgentKey = Agent/AgentKey',
      '  same-key: Nav is to-one, no other navigation property has its type, and the type has properties named like its whole key.',
      '    model/metadata.xml:25:9 Room/Building: Room/HouseKey = House/HouseKey',
      '  key-in-child: Nav is to-many, no other navigation property has its type, and that type has properties named like the whole key.',
      '    model/metadata.xml:14:9 House/Rooms: Room/HouseKey = House/HouseKey',
      '  named-key-in-child: Nav is to-many, no other navigation property has its type, and that type has a property TypeKey or TypeId.',
      '    model/metadata.xml:15:9 House/Visits: Visit/HouseId = House/HouseKey',
      '',
      'Joined by hidden columns or tables (1)',
      '  model/metadata.xml:13:9 self.House/Seller',
      '',
      'Needs a decision (3)',
      '  model/metadata.xml:12:9 self.House/CoListAgent: perhaps by ListAgentKey',
      '  model/metadata.xml:16:9 self.House/Papers: perhaps by HouseKey',
      '  model/metadata.xml:17:9 self.House/OldPapers: perhaps by HouseKey',
      '',
      'The model can be generated from: gable generate model/metadata.xml --lenient.',
      'Navigation properties for which a property may hold the key, 3: decide them, or leave them to hidden columns.',
      'To write these as decisions: gable doctor model/metadata.xml --write',
      '',
    ].join('\n'),
  );
});

test('a navigation property is no open decision unless a property is named like its key', async (t) => {
  const folder = project(t, 'inferred-joins');
  const path = join(folder, 'model', 'metadata.xml');
  const school =
    '<NavigationProperty Name="Elementary" Type="self.School"/></EntityType><EntityType Name="School"><Key><PropertyRef Name="SchoolKey"/></Key><Property Name="SchoolKey" Type="Edm.String" MaxLength="20" Nullable="false"/></EntityType>';
  writeFileSync(path, readFileSync(path, 'utf8').replace('</EntityType>', school));
  const { code, out } = await run(folder, ['doctor']);
  t.is(code, 0, out);
  t.regex(out, /\nJoined by hidden columns or tables \(2\)\n( .*\n)* {2}model\/metadata\.xml:\d+:\d+ self\.\w+\/Elementary\n/);
  t.regex(out, /\nNeeds a decision \(3\)\n/);
});

test('the skeleton is an overlay that decides what was inferred, and nothing else', async (t) => {
  const folder = project(t, 'inferred-joins');
  const first = await run(folder, ['doctor', '--write']);
  t.is(first.code, 0, first.err);
  const overlay = join(folder, 'model', 'overlay.jsonc');
  const skeleton = readFileSync(overlay, 'utf8');
  t.regex(skeleton, /"ListAgent": \{ "foreignKey": \{ "ListAgentKey": "AgentKey" \} \}, \/\/ inferred: named-key/);
  t.regex(skeleton, /\/\/ "Papers": \{ "leaveOut": true \},/);
  const found = JSON.parse((await run(folder, ['doctor', '--json'])).out) as {
    readonly inferred: readonly object[];
    readonly undecided: readonly object[];
    readonly overlay: string;
  };
  t.is(found.inferred.length, 0);
  t.is(found.undecided.length, 4);
  t.is(found.overlay, 'model/overlay.jsonc');
  // Every comment that leaves out, taken at its word, leaves nothing to decide, not even in strict mode.
  writeFileSync(overlay, skeleton.replace(/\/\/ (".*": \{ "leaveOut": true \},)/g, '$1'));
  t.regex((await run(folder, ['doctor'])).out, /has no gaps\.\n$/);
  t.is((await run(folder, ['generate', '--strict'])).code, 0);
});

test('a skeleton never replaces an overlay; what that leaves open is written beside it', async (t) => {
  const mine = '{ "types": { "House": { "navigation": { "ListAgent": { "foreignKey": { "ListAgentKey": "AgentKey" } } } } } } // mine';
  const folder = project(t, 'inferred-joins', { 'model/overlay.jsonc': mine });
  t.regex(
    (await run(folder, ['doctor'])).out,
    /\nTo write these as decisions: gable doctor model\/metadata\.xml --write, which writes model\/overlay\.new\.jsonc with additions to model\/overlay\.jsonc\n$/,
  );
  const { code, out } = await run(folder, ['doctor', '--write']);
  t.is(code, 0);
  t.regex(out, /\nWritten: model\/overlay\.new\.jsonc\. Copy what applies into model\/overlay\.jsonc, /);
  t.is(readFileSync(join(folder, 'model', 'overlay.jsonc'), 'utf8'), mine);
  const added = readFileSync(join(folder, 'model', 'overlay.new.jsonc'), 'utf8');
  t.regex(added, /"Rooms": \{ "foreignKey": \{ "HouseKey": "HouseKey" \} \}, \/\/ inferred: key-in-child/);
  t.notRegex(added, /"ListAgent":/);
  const again = await run(folder, ['doctor', '--write']);
  t.is(again.code, 2);
  t.regex(again.err, /^gable: model\/overlay\.new\.jsonc already exists; copy what you need from it, /);
});

test('the undefined type of a navigation property is a finding', async (t) => {
  const folder = project(t, 'composite-and-aliases');
  const path = join(folder, 'model', 'metadata.xml');
  const written = readFileSync(path, 'utf8');
  writeFileSync(path, written.replace('</Key>', '</Key><NavigationProperty Name="Ghosts" Type="Collection(self.Ghost)"/>'));
  const { code, out } = await run(folder, ['doctor']);
  t.is(code, 0);
  t.regex(out, /Filled in \(1\)\n {2}CSDL014: .*\n {4}model\/metadata\.xml:\d+:\d+ \w+\/Ghosts: the type self\.Ghost is not defined\.\n/);
});

test('a doctor who finds only what no overlay decides does not ask to write one', async (t) => {
  const folder = project(t, 'composite-and-aliases');
  const path = join(folder, 'model', 'metadata.xml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('<Property Name=', '<Property Odd="1" Name='));
  const { code, out } = await run(folder, ['doctor']);
  t.is(code, 0);
  t.regex(out, /Filled in \(1\)/);
  t.regex(out, /\nThe model can be generated from: gable generate model\/metadata\.xml --lenient\.\n$/);
});

test('gable init in strict mode writes what names suggest as comments, and infers nothing', async (t) => {
  const folder = project(t, 'inferred-joins');
  const { code, out, err } = await run(folder, ['init', 'made', '--model', 'model/metadata.xml']);
  t.is(code, 0, err);
  t.regex(out, /\nNavigation properties whose names suggest keys, 4: see the comments in model\/overlay\.jsonc; /);
  const overlay = readFileSync(join(folder, 'made/model/overlay.jsonc'), 'utf8');
  t.regex(overlay, /\n {8}\/\/ "ListAgent": \{ "foreignKey": \{ "ListAgentKey": "AgentKey" \} \}, \/\/ names suggest it: named-key\n/);
  t.notRegex(overlay, /No gaps were found/);
  t.notRegex(readFileSync(join(folder, 'made/generated/migrations/0001-initial.sql'), 'utf8'), /\("ListAgentKey"\) REFERENCES/i);
});

test('a refused model is told so, with 2', async (t) => {
  const { code, out } = await run(project(t, 'keys'), ['doctor']);
  t.is(code, 2);
  t.regex(out, /^Refused \(\d+\)\n {2}model\/metadata\.xml:\d+:\d+ error CSDL/m);
  const json = JSON.parse((await run(project(t, 'malformed'), ['doctor', '--json'])).out) as object;
  t.deepEqual(Object.keys(json), [
    'model',
    'exitCode',
    'overlay',
    'inferred',
    'undefinedTypes',
    'nullableKeys',
    'others',
    'undecided',
    'refused',
  ]);
});

const configs: readonly (readonly [string, string])[] = [
  ['gable.config.json', '{ "mode": "lenient", "diagnostics": { "CSDL085": "off" }, // a comment\n }'],
  ['gable.config.js', 'export default { mode: "lenient", diagnostics: { CSDL085: "off" } };'],
  ['gable.config.mjs', 'export default { mode: "lenient", diagnostics: { CSDL085: "off" } };'],
  [
    'gable.config.ts',
    "type Mode = 'strict' | 'lenient';\nconst mode: Mode = 'lenient';\nexport default { mode, diagnostics: { CSDL085: 'off' } } satisfies object;\n",
  ],
];

for (const [name, text] of configs) {
  test(`${name} says the mode and what a code does`, async (t) => {
    const folder = project(t, 'inferred-joins', { [name]: text, 'package.json': '{ "type": "module" }' });
    const { code, err } = await run(folder, ['generate', '--dry-run']);
    t.is(code, 0, err);
    t.regex(err, /warning CSDL027/);
    t.notRegex(err, /CSDL085/);
    t.notRegex((await run(folder, ['generate', '--dry-run', '--strict'])).err, /CSDL/);
  });
}

const refused: readonly (readonly [string, string, RegExp])[] = [
  ['gable.config.json', '{ "overly": "x" }', /there is no setting overly\. Did you mean overlay\?/],
  ['gable.config.json', '{ "mode": "loose" }', /mode must be 'strict' or 'lenient', not 'loose'/],
  ['gable.config.json', '{ "diagnostics": { "CSDL027": "warning" } }', /CSDL027 must be 'error', 'warn' or 'off'/],
  ['gable.config.json', '{ "diagnostics": { "CSDL011": "off" } }', /CSDL011 cannot be changed/],
  ['gable.config.json', '{ "diagnostics": { "__proto__x": "off" } }', /'__proto__x' is not a code/],
  ['gable.config.json', '{ "diagnostics": { "CSDL999": "off" } }', /there is no code CSDL999\. Did you mean CSDL079\?/],
  ['gable.config.json', '{\n  "mode": "lenient"', /^gable: gable\.config\.json:2:20 close brace expected\n/],
  [
    'gable.config.ts',
    "export default {\n  diagnostics: { CSDL027: 'off',\n  mode: 'lenient',\n};\n",
    /^gable: gable\.config\.ts:4:2 ',' expected\.\n/,
  ],
  ['gable.config.mjs', 'export default {\n  mode "lenient" };\n', /^gable: gable\.config\.mjs:2:8 ',' expected\.\n/],
  ['gable.config.js', 'throw new Error("no");', /cannot be loaded: no/],
  ['gable.config.ts', 'export const mode = 1;', /has no default export/],
];

for (const [name, text, expected] of refused) {
  test(`${name} is refused: ${text}`, async (t) => {
    const folder = project(t, 'inferred-joins', { [name]: text, 'package.json': '{ "type": "module" }' });
    const { code, err } = await run(folder, ['generate']);
    t.is(code, 2);
    t.regex(err, expected);
    t.notRegex(err, /\n {4}at /);
    t.false(existsSync(join(folder, 'generated')));
  });
}

test('colours are for terminals, unless they are forced or forbidden', async (t) => {
  const folder = project(t, 'inferred-joins');
  const colored = async (env: NodeJS.ProcessEnv): Promise<boolean> =>
    (await run(folder, ['generate', '--lenient', '--dry-run'], env)).err.includes('\u001b[33mwarning\u001b[0m');
  t.false(await colored({}));
  t.true(await colored({ FORCE_COLOR: '1' }));
  t.false(await colored({ FORCE_COLOR: '0' }));
  t.false(await colored({ FORCE_COLOR: '1', NO_COLOR: '1' }));
});

test('--lenient and --strict, and what is missing or cannot be read, are said plainly', async (t) => {
  const folder = project(t, 'inferred-joins');
  for (const [args, expected] of [
    [['--lenient', '--strict'], /exclude each other/],
    [['--overlay', 'none.jsonc'], /There is no overlay none\.jsonc/],
    [['--config', 'none.json'], /There is no configuration none\.json/],
    [['--config', 'model'], /model is a folder; name the configuration in it\./],
    [['none.xml'], /there is no file none\.xml/],
    [['model'], /model is a folder; name the document in it\./],
  ] as const) {
    const { code, err } = await run(folder, ['generate', ...args]);
    t.is(code, 2);
    t.regex(err, expected);
  }
});
