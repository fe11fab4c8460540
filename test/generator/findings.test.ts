import test from 'ava';
import { type Finding, findingsOf, printFindings } from '../../generator/cli/findings.js';
import { findingsOfOutcome } from '../../generator/cli/outcome-findings.js';
import { printDiagnostics } from '../../generator/cli/print-diagnostics.js';
import { inspectModel } from '../../generator/generate.js';
import type { Policy } from '../../generator/policy.js';
import { generatorVersion } from '../../generator/version.js';
import { runCase } from './cases.js';

const found: readonly Finding[] = [
  { code: 'CSDL017', level: 'warning', message: 'The key is 100% nullable,\nin a:b. Add it.', file: 'model\\ä, b.xml', line: 9, column: 4 },
  { code: 'property-removed', level: 'note', message: 'Item/Code was removed.', file: 'model.xml' },
  { code: 'output-stale', level: 'error', message: 'generated is not current.', file: 'model.xml' },
];

test('findings as annotations of GitHub Actions', (t) => {
  t.is(
    printFindings(found, 'github'),
    `::warning file=model/ä%2C b.xml,line=9,col=4,title=CSDL017::The key is 100%25 nullable,%0Ain a:b. Add it.
::notice file=model.xml,title=property-removed::Item/Code was removed.
::error file=model.xml,title=output-stale::generated is not current.
`,
  );
});

function at(uri: string, region?: object): object {
  return { locations: [{ physicalLocation: { artifactLocation: { uri }, ...(region && { region }) } }] };
}

// The text was checked against the schema of SARIF 2.1.0.
test('findings as a SARIF log', (t) => {
  t.deepEqual(JSON.parse(printFindings(found, 'sarif')), {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'gable',
            version: generatorVersion,
            rules: [
              { id: 'CSDL017', shortDescription: { text: 'The key property .../... is nullable.' } },
              { id: 'output-stale', shortDescription: { text: 'The generated files are not those of the model.' } },
              {
                id: 'property-removed',
                shortDescription: { text: 'NAME was removed: requests that name it fail, and the column is dropped.' },
              },
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [
          {
            ruleId: 'CSDL017',
            level: 'warning',
            message: { text: 'The key is 100% nullable,\nin a:b. Add it.' },
            ...at('model/%C3%A4,%20b.xml', { startLine: 9, startColumn: 4 }),
          },
          { ruleId: 'property-removed', level: 'note', message: { text: 'Item/Code was removed.' }, ...at('model.xml') },
          { ruleId: 'output-stale', level: 'error', message: { text: 'generated is not current.' }, ...at('model.xml') },
        ],
      },
    ],
  });
});

test('a diagnostic is a finding at its place, with its fix', (t) => {
  const [first] = findingsOf(runCase('lenient-gaps'));
  t.deepEqual(first, {
    code: 'CSDL114',
    level: 'warning',
    message:
      'The referenced document https://example.org/vocabularies/Common.xml was not read; none of its types is used, and annotations with terms of org.example.Common.v1 stay unchecked. Nothing is fetched; save it next to the model to check its terms.',
    file: 'model.xml',
    line: 4,
    column: 3,
  });
});

test('edited and stale files and missing decisions are findings', (t) => {
  const common = { model: 'm.xml', exitCode: 4, milliseconds: 1 } as const;
  const undecided = findingsOfOutcome(
    { ...common, kind: 'undecided', found: undefined, problems: [{ kind: 'rename', message: 'Decide.' }] as never },
    'gable generate',
  );
  t.deepEqual(undecided, [{ code: 'MIGR001', level: 'error', message: 'Decide.', file: 'm.xml' }]);
  const plan = {
    added: [],
    changed: ['a.ts'],
    removed: [],
    unchanged: [],
    refused: [{ path: 'b.ts', why: 'edited', patch: '', exact: true }],
    unused: [{ path: '../extensions/operations/c.ts', operation: 'Action Ns.C()' }],
  } as const;
  const planned = findingsOfOutcome(
    { ...common, kind: 'planned', found: runCase('composite-and-aliases'), output: 'generated', plan, waiting: false, mode: 'check' },
    'gable generate',
  );
  t.deepEqual(
    planned.filter(({ line }) => line === undefined).map(({ level, code, file }) => `${level} ${code} ${file}`),
    ['error file-edited generated/b.ts', 'warning handler-unused extensions/operations/c.ts', 'error output-stale m.xml'],
  );
});

// Five keys that may be null: one warning each in lenient mode, one fault each in strict mode.
function printedBy(policy: Policy): string {
  const types = Array.from(
    { length: 5 },
    (_, index) => `<EntityType Name="T${index}"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.String"/></EntityType>`,
  );
  const text = `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">${types.join('\n')}<EntityContainer Name="C">${types.map((_, index) => `<EntitySet Name="S${index}" EntityType="M.T${index}"/>`).join('')}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`;
  return printDiagnostics(inspectModel({ path: 'm.xml', bytes: Buffer.from(text) }, { policy }), { isTTY: false });
}

test('after three warnings of a code, the others are counted', (t) => {
  const text = printedBy({ mode: 'lenient', choices: {} });
  t.is(text.match(/ warning CSDL017 /g)?.length, 3);
  t.regex(text, /\n\.\.\. and 2 more warnings CSDL017\n5 warnings\.\ngable doctor sorts and explains them/);
});

test('no way out leads by what the overlay says wrong', (t) => {
  const model = Buffer.from(
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="T"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType><EntityContainer Name="C"><EntitySet Name="S" EntityType="M.T"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>',
  );
  const overlay = { path: 'overlay.jsonc', bytes: Buffer.from('{ "sets": { "S": { "indexes": ["Ident"] } } }') };
  const text = printDiagnostics(inspectModel({ path: 'm.xml', bytes: model }, { overlay }), { isTTY: false });
  t.regex(
    text,
    / error CSDL020 [^]*\nOne fault; nothing was written\.\ngable explain CODE explains a fault, as \/docs\/model-errors\.html#CODE of a service does\.\n$/,
  );
});

test('every fault is shown, with the way out', (t) => {
  const text = printedBy({ mode: 'strict', choices: {} });
  t.is(text.match(/ error CSDL017 /g)?.length, 5);
  t.regex(text, /\n5 faults; nothing was written\.\nWith --lenient the run continues/);
});
