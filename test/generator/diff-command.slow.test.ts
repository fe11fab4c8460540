import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runGable as run } from '../support/run-gable.js';
import { workspace } from './workspace.js';

test('a change that is no news writes no changelog, and a doctor with nothing to say says what it wrote', async (t) => {
  const cwd = workspace(t);
  const model = readFileSync(join(cwd, 'model/metadata.xml'), 'utf8');
  writeFileSync(join(cwd, 'old.xml'), model);
  writeFileSync(
    join(cwd, 'new.xml'),
    model.replace(/(<Property [^>]*?)\/>/, '$1><Annotation Term="Org.OData.Core.V1.Description" String="New"/></Property>'),
  );
  const { out } = await run(cwd, 'diff', 'old.xml', 'new.xml', '--changelog', 'CHANGELOG.md');
  t.regex(out, /Version step: patch.*\nNo change needs a changelog entry\.\n$/);
  t.false(existsSync(join(cwd, 'CHANGELOG.md')));
  for (const [place, told] of [
    ['nope/CHANGELOG.md', /^gable: The folder nope of the changelog nope\/CHANGELOG\.md does not exist; create it first\.\n$/],
    ['model', /^gable: The changelog model is not a file\.\n$/],
  ] as const) {
    const { code, err } = await run(cwd, 'diff', 'old.xml', 'new.xml', '--changelog', place);
    t.is(code, 2);
    t.regex(err, told);
  }
  const { out: said } = await run(cwd, 'doctor', 'model/metadata.xml', '--write');
  t.regex(said, /has no gaps\.\nWritten: .*overlay\.jsonc, without open decisions\.\n$/);
});

function salesModel(key: string, scale: string, tag: string): string {
  return `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
    <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml"><edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/></edmx:Reference>
    <edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
      <EntityType Name="Sale"><Key><PropertyRef Name="Day"/></Key><Property Name="Day" Type="Edm.Date"${key}/>
        <Property Name="Amount" Type="Edm.Decimal"${scale}><Annotation Term="Core.IsLanguageDependent"${tag}/></Property></EntityType>
      <EntityContainer Name="Container"><EntitySet Name="Sales" EntityType="Shop.Sale"/></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`;
}

test('diff finds no change where a document is only repaired, or written as JSON', async (t) => {
  const cwd = workspace(t);
  writeFileSync(join(cwd, 'old.xml'), salesModel('', '', ''));
  writeFileSync(join(cwd, 'new.xml'), salesModel(' Nullable="false"', ' Scale="variable"', ' Bool="true"'));
  writeFileSync(join(cwd, 'lenient.json'), '{ "mode": "lenient" }');
  t.is((await run(cwd, 'diff', 'old.xml', 'new.xml', '--config', 'lenient.json')).out, 'old.xml and new.xml are equivalent.\n');
  // In strict mode a decimal without a scale is a whole number.
  t.regex((await run(cwd, 'diff', 'old.xml', 'new.xml')).out, /^additive {2}scale-raised {2}Sale\/Amount .*\n(.*\n){3}One change:/);
});

test('diff compares files and commits, tells three verdicts, and ends as asked', async (t) => {
  const folder = workspace(t);
  git(folder, 'init', '-q');
  commit(folder, 'first');
  t.is((await run(folder, 'diff', 'git:HEAD', '--exit-code')).out, 'git:HEAD and model/metadata.xml are equivalent.\n');
  const model = join(folder, 'model', 'metadata.xml');
  const first = readFileSync(model, 'utf8');
  writeFileSync(model, first.replace('A short code', 'A longer code'));
  t.is((await run(folder, 'diff', 'git:HEAD', '--exit-code')).code, 2);
  writeFileSync(
    model,
    first.replace('<Property Name="Number"', '<Property Name="Weight" Type="Edm.Int32" Nullable="false"/><Property Name="Number"'),
  );
  writeFileSync(join(folder, 'package.json'), '{"version": "1.2.3"}');
  t.is((await run(folder, 'diff', 'git:HEAD')).code, 0);
  const { code, out } = await run(
    folder,
    'diff',
    'git:main:model/metadata.xml',
    'model/metadata.xml',
    '--exit-code',
    '--changelog',
    'CHANGELOG.md',
  );
  t.is(code, 3);
  t.regex(
    out,
    /^breaking {2}property-added-required {2}Order\/Weight {2}\(model\/metadata\.xml:\d+\)\n.*\n +consumers breaking, types breaking, database breaking\n/,
  );
  t.regex(out, /Version step: major, from 1\.2\.3 to 2\.0\.0\.\nThe entry is in CHANGELOG\.md\.\n$/);
  t.regex(
    readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'),
    /## \[Unreleased\]\n\n### Model\n- \*\*Breaking\*\*, `property-added-required`: `Order\/Weight`: /,
  );
  const json = JSON.parse((await run(folder, 'diff', 'git:HEAD', '--json')).out) as object;
  t.deepEqual(Object.keys(json), ['old', 'new', 'changes', 'counts', 'step', 'version', 'changelog']);
  const unknown = await run(folder, 'diff', 'git:nowhere');
  t.is(unknown.code, 2);
  t.regex(unknown.err, /^gable: Git has no model\/metadata\.xml in nowhere: /);
  t.is((await run(folder, 'diff')).code, 2);
  t.is((await run(folder, 'diff', 'missing.xml')).code, 2);
});

test('diff reads the overlay of each model as it was', async (t) => {
  const folder = workspace(t);
  const overlay = join(folder, 'model', 'overlay.jsonc');
  writeFileSync(overlay, '{ "sets": { "Orders": { "permissions": { "read": ["orders.read"] } } } }');
  git(folder, 'init', '-q');
  commit(folder, 'first');
  t.is((await run(folder, 'diff', 'git:HEAD', '--exit-code')).code, 0);
  const model = join(folder, 'model', 'metadata.xml');
  writeFileSync(model, readFileSync(model, 'utf8').replaceAll('"Number"', '"No"'));
  writeFileSync(
    overlay,
    `{
  "types": { "Order": { "properties": { "No": { "renamedFrom": "Number" } } }, "Line": { "properties": { "No": { "renamedFrom": "Number" } } } },
  "sets": { "Orders": { "permissions": { "read": ["orders.all"] }, "indexes": [["Town"]] } }
}`,
  );
  const { out } = await run(folder, 'diff', 'git:HEAD');
  t.regex(out, /property-renamed {2}Order\/No .*\n.*Number/);
  t.regex(out, /permission-removed {2}Container\/Orders.*\n.*orders\.read/);
  t.regex(out, /permission-added {2}Container\/Orders.*\n.*orders\.all/);
  t.regex(out, /index-added {2}Container\/Orders.*\n.*Town/);
  t.notRegex(out, /suspected|property-removed|key-changed/);
  commit(folder, 'second');
  t.regex((await run(folder, 'diff', 'git:HEAD~1', 'git:HEAD')).out, /property-renamed/);
  writeFileSync(overlay, '{');
  const broken = await run(folder, 'diff', 'git:HEAD');
  t.is(broken.code, 2);
  t.regex(broken.err, /model\/overlay\.jsonc:1:2 error/);
});

test('diff reads from migrations what an option renamed', async (t) => {
  const folder = workspace(t);
  const model = join(folder, 'model', 'metadata.xml');
  const change = (from: string, to: string): void => writeFileSync(model, readFileSync(model, 'utf8').replaceAll(from, to));
  change('</EntityType>', '<Property Name="FullName" Type="Edm.String"/></EntityType>');
  t.is((await run(folder, 'generate')).code, 0);
  git(folder, 'init', '-q');
  commit(folder, 'first');
  const types = [...readFileSync(model, 'utf8').matchAll(/<EntityType Name="(\w+)"/g)].map(([, name]) => name ?? '');
  change('Name="FullName"', 'Name="Caption"');
  await run(folder, 'generate', ...types.flatMap((name) => ['--renamed', `${name}/FullName=Caption`]));
  change('Name="Caption"', 'Name="Display"');
  const { err } = await run(folder, 'generate', ...types.flatMap((name) => ['--renamed', `${name}/Caption=Display`]));
  t.is(err, '');
  const { out } = await run(folder, 'diff', 'git:HEAD');
  t.regex(out, /FullName was renamed to Display; the column is renamed\./);
  t.notRegex(out, /property-removed|property-added/);
});

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main', ...args], { cwd: folder });
}

function commit(folder: string, message: string): void {
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', message);
}
