// Runs every night: each document has a process of its own.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { readModel } from '../../generator/generate.js';
import { ModelError } from '../../generator/model-error.js';
import { runCommand } from '../support/run-command.js';

// Documents that want time, memory, or a place on the disk. Each is refused in seconds of processor time and little memory, in strict
// and in lenient mode, with the fault that is expected, and nothing is written anywhere in the folder around it.
const gable = fileURLToPath(new URL('../../gable.js', import.meta.url));
const seconds = 30;
const longest = 240_000;
const megabytes = 700;

const head = '<?xml version="1.0" encoding="utf-8"?>\n';
const open = '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>';
const schema = '<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop" Alias="self">';
const close = '</Schema></edmx:DataServices></edmx:Edmx>';
const container = '<EntityContainer Name="Container"><EntitySet Name="Items" EntityType="self.Item"/></EntityContainer>';
const item = (properties = ''): string =>
  `<EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>${properties}</EntityType>`;
const model = (inner: string): string => `${head}${open}${schema}${inner}${close}`;
const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');
const bomb = `${head}<!DOCTYPE b [<!ENTITY a0 "x">${repeat(30, (index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`)}]>${open}${schema}&a30;${close}`;

const names = [
  '../../x',
  '..\\..\\x',
  '/etc/passwd',
  '{{x}}',
  '{{{x}}}',
  '${x}',
  '`x`',
  "';drop table x;--",
  '*/ evil(); /*',
  '</script>',
  'a.b.',
  'a/b',
  'a b',
  '\u202e',
  'x\u0000y',
  '',
  '.',
  '..',
  'CON:',
  'a\nb',
  '-->',
  '$batch',
  '@x',
  '#id',
];

// oxfmt-ignore
const rows: readonly (readonly [string, string, RegExp])[] = [
  ['an entity bomb', bomb, /CSDL003/],
  ['an external entity', `${head}<!DOCTYPE a SYSTEM "file:///etc/passwd">${open}${close}`, /CSDL003/],
  ['a document type in lower case', `${head}<!doctype a>${open}${close}`, /CSDL003/],
  ['500 000 attributes', model(`<EntityType ${repeat(500_000, (index) => `a${index}="1" `)}/>`), /CSDL004/],
  ['deep nesting', model('<A>'.repeat(1_000_000)), /CSDL004/],
  ['deep nesting of expressions', model(`${item()}<Annotations Target="self.Item"><Annotation Term="self.T">${'<Collection>'.repeat(5_000)}${'</Collection>'.repeat(5_000)}</Annotation></Annotations>`), /CSDL004/],
  ['comments without an end', `${head}${open}${'<!--'.repeat(3_000_000)}`, /CSDL002/],
  ['quotes without an end', `${head}${open}${'<a "'.repeat(3_000_000)}`, /CSDL00[24]/],
  ['tags without an end', `${head}${open}${'<'.repeat(8_000_000)}`, /CSDL00[24]/],
  ['instructions without an end', `${head}${open}${'<?a '.repeat(3_000_000)}`, /CSDL002/],
  ['CDATA without an end', `${head}${open}${'<![CDATA['.repeat(1_500_000)}`, /CSDL002/],
  ['blanks inside a tag', `${head}${open}<a${' '.repeat(12_000_000)}`, /CSDL002/],
  ['a long declaration', `<?xml ${'a '.repeat(6_000_000)}`, /CSDL002/],
  ['a long value', model(item(`<Property Name="${'N'.repeat(12_000_000)}" Type="Edm.String"/>`)), /CSDL004/],
  ['a long type', model(item(`<Property Name="Long" Type="Collection(${'a.'.repeat(4_000_000)}b)"/>`) + container), /CSDL004/],
  ['a long path', model(`${item()}${container}<Annotations Target="self.Item/${'Id/'.repeat(1_000_000)}"><Annotation Term="self.T"/></Annotations>`), /CSDL004/],
  ['a long constant', model(`${item()}${container}<Annotations Target="self.Item"><Annotation Term="self.T"><EnumMember>${'a.'.repeat(4_000_000)}</EnumMember></Annotation></Annotations>`), /CSDL004/],
  ['a long pattern', model(item(`<Property Name="P" Type="Edm.String"><Annotation Term="Org.OData.Validation.V1.Pattern" String="${'('.repeat(2_000_000)}"/></Property>`) + container), /CSDL040/],
  ['many faults', model(`${item(repeat(150_000, (index) => `<Property Name="${index}" Typ="Edm.String"/>`))}${container}`), /CSDL077/],
  ['many unknown types', model(`${item(repeat(19_000, (index) => `<Property Name="P${index}" Type="self.Unknown${index}"/>`))}${repeat(9_900, (index) => `<ComplexType Name="Known${index}"/>`)}${container}`), /CSDL077/],
  ['many children', model(`${item()}<EnumType Name="E">${repeat(199_000, (index) => `<Member Name="M${index}"/>`)}</EnumType>`), /CSDL004/],
  ['a base type that is its own', model(`<EntityType Name="A" BaseType="self.B"/><EntityType Name="B" BaseType="self.A"/>${item()}${container}`), /CSDL/],
  ['complex types that lead to each other', model(`${repeat(16, (index) => `<ComplexType Name="T${index}">${repeat(16, (other) => (other === index ? '' : `<Property Name="P${other}" Type="self.T${other}"/>`))}<NavigationProperty Name="N" Type="self.Item"/></ComplexType>`)}${item('<Property Name="R" Type="self.T0"/>')}${container}`), /CSDL019/],
  ['complex values with more ways than records have', model(`${repeat(40, (index) => `<ComplexType Name="T${index}">${index === 39 ? '<NavigationProperty Name="N" Type="self.Item"/>' : `<Property Name="A" Type="self.T${index + 1}"/><Property Name="B" Type="self.T${index + 1}"/>`}</ComplexType>`)}${item('<Property Name="R" Type="self.T0"/>')}${container}`), /CSDL019/],
  ['many navigation properties', model(item(repeat(30_000, (index) => `<NavigationProperty Name="N${index}" Type="self.Item"/>`)) + container), /CSDL004/],
  ['records that contain their own kind in many ways', model(item(repeat(3_000, (index) => `<NavigationProperty Name="N${index}" Type="Collection(self.Item)" ContainsTarget="true"/>`)) + container), /CSDL004/],
  ['a long line of types', model(item() + repeat(40_000, (index) => `<EntityType Name="T${index}" BaseType="self.${index === 0 ? 'Item' : `T${index - 1}`}"/>`) + container), /CSDL004/],
  ['a wide type within each of many properties', model(`<ComplexType Name="V">${repeat(19_000, (index) => `<Property Name="P${index}" Type="Edm.String"/>`)}</ComplexType>${item(repeat(1_000, (index) => `<Property Name="V${index}" Type="self.V"/>`))}${container}`), /CSDL004/],
  ['references without end', `${head}<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">${repeat(20_000, (index) => `<edmx:Reference Uri="r${index}.xml"><edmx:Include Namespace="N${index}"/></edmx:Reference>`)}<edmx:DataServices>${schema}${item()}${container}${close}`, /CSDL0(75|77)/],
  ['a reference to a device', `${head}<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:Reference Uri="file:///dev/zero"><edmx:Include Namespace="N"/></edmx:Reference><edmx:Reference Uri="..%2f..%2fx"><edmx:Include Namespace="M"/></edmx:Reference><edmx:DataServices>${schema}${item()}${container}${close}`, /CSDL131/],
  ['an element named __proto__', model(`<__proto__ Name="x"/>${item()}<constructor/>`), /CSDL002/],
  ['JSON that is deep', '['.repeat(8_000_000), /CSDL00[24]/],
  ['JSON that is deep in an object', `{"a":${'{"a":'.repeat(2_000_000)}`, /CSDL004/],
  ['JSON with many values', `{"$Version":"4.01","S":{"T":[${'1,'.repeat(4_000_000)}1]}}`, /CSDL004/],
  ['JSON with a string without an end', `{"a":"${'\\"'.repeat(4_000_000)}`, /CSDL070/],
  ['JSON with hostile members', '{"$Version":"4.01","__proto__":{"constructor":{"$Kind":"EntityType"}},"../../x":{"a":{"$Kind":"EntityType"}}}', /CSDL0/],
];

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

const folder = mkdtempSync(join(tmpdir(), 'gable-hostile-'));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

// Each row is a separate process, one after the other, so that its consumption is its own.
for (const [name, text, expected] of rows) {
  test.serial(name, async (t) => {
    t.timeout(longest);
    const place = join(folder, 'outer', 'inner', 'project');
    mkdirSync(join(place, 'model'), { recursive: true });
    writeFileSync(join(place, 'model', 'metadata.xml'), text);
    const before = listed();
    const { code, err, taken } = await run(place, ['--lenient']);
    t.is(code, 2, err.slice(0, 2000));
    t.regex(err, expected);
    t.regex(err, /^model\/metadata\.xml:\d+:\d+ (error|warning) CSDL\d{3} .+; .+$/m);
    t.true(taken < seconds, `${taken} s`);
    t.deepEqual(listed(), before);
    t.true(longestLine(err) < 2_000, `a line of ${longestLine(err)}`);
  });
}

// Small documents need no process: each place of a name, in both modes.
for (const name of names) {
  test(`nothing is named ${JSON.stringify(name)}`, (t) => {
    const places = [
      model(
        `<EntityType Name="${escaped(name)}"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>${container}`,
      ),
      model(item(`<Property Name="${escaped(name)}" Type="Edm.String"/>`) + container),
      model(item(`<NavigationProperty Name="${escaped(name)}" Type="self.Item"/>`) + container),
      model(`${item()}<EnumType Name="E"><Member Name="${escaped(name)}"/></EnumType>${container}`),
      model(
        `${item()}<Function Name="${escaped(name)}"><Parameter Name="${escaped(name)}" Type="Edm.Int32"/><ReturnType Type="Edm.Int32"/></Function>${container}`,
      ),
      model(`${item()}<EntityContainer Name="Container"><EntitySet Name="${escaped(name)}" EntityType="self.Item"/></EntityContainer>`),
      model(`${item()}<EntityContainer Name="${escaped(name)}"><EntitySet Name="Items" EntityType="self.Item"/></EntityContainer>`),
      model(`${item()}${container}`)
        .replace('Namespace="Shop"', `Namespace="${escaped(name)}"`)
        .replace('self.Item', 'self.Item'),
      model(`${item()}${container}`).replace('Alias="self"', `Alias="${escaped(name)}"`),
    ];
    for (const text of places) {
      for (const mode of ['strict', 'lenient'] as const) {
        const { diagnostics, names: kept } = readNames(text, mode);
        // Lenient mode reads a name with a space inside as another one, and says so.
        const isMended = mode === 'lenient' && /^\w+\s\w+$/.test(name) && diagnostics.some(({ code }) => code === 'CSDL149');
        t.true(isMended || diagnostics.some(({ severity }) => severity === 'error'), `${mode}: ${text}`);
        t.false(kept.includes(name));
      }
    }
  });
}

// The findings of a model, and the names of its parts if it is accepted.
function readNames(
  text: string,
  mode: 'strict' | 'lenient',
): { readonly diagnostics: ModelError['diagnostics']; readonly names: readonly string[] } {
  try {
    const { graph, diagnostics } = readModel({ path: 'model.xml', bytes: Buffer.from(text) }, { policy: { mode, choices: {} } });
    const names = graph.entities.flatMap(({ typeName, entitySet, fields }) => [
      typeName,
      entitySet ?? '',
      ...fields.map((field) => field.name),
    ]);
    return { diagnostics, names };
  } catch (failure) {
    if (failure instanceof ModelError) return { diagnostics: failure.diagnostics, names: [] };
    throw failure;
  }
}

function listed(): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function longestLine(text: string): number {
  return Math.max(...text.split('\n').map(({ length }) => length));
}

interface Run {
  readonly code: number | null;
  readonly err: string;
  /** Seconds of processor time, which other processes do not lengthen. */
  readonly taken: number;
}

async function run(cwd: string, options: readonly string[]): Promise<Run> {
  const args = [`--max-old-space-size=${megabytes}`, '--import', timed, gable, 'generate', ...options];
  const { status, stdout, stderr } = await runCommand(process.execPath, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1' },
    timeout: longest,
  });
  return { code: status, err: stderr, taken: Number(/^processor time (.+)$/m.exec(stdout)?.[1]) };
}

const timed = `data:text/javascript,${encodeURIComponent(`
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    console.log('processor time', (user + system) / 1e6);
  });
`)}`;
