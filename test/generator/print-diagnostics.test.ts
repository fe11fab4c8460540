import test from 'ava';
import { printDiagnostics } from '../../generator/cli/print-diagnostics.js';
import { inspectModel } from '../../generator/generate.js';
import type { Policy } from '../../generator/policy.js';

// Five keys that may be null: one warning each in lenient mode, one fault each in strict mode.
function found(policy: Policy): string {
  const types = Array.from(
    { length: 5 },
    (_, index) => `<EntityType Name="T${index}"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.String"/></EntityType>`,
  );
  const text = `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">${types.join('\n')}<EntityContainer Name="C">${types.map((_, index) => `<EntitySet Name="S${index}" EntityType="M.T${index}"/>`).join('')}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`;
  return printDiagnostics(inspectModel({ path: 'm.xml', bytes: Buffer.from(text) }, { policy }), { isTTY: false });
}

test('after three warnings of a code, the others are counted', (t) => {
  const text = found({ mode: 'lenient', choices: {} });
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
  const text = found({ mode: 'strict', choices: {} });
  t.is(text.match(/ error CSDL017 /g)?.length, 5);
  t.regex(text, /\n5 faults; nothing was written\.\nWith --lenient the run continues/);
});
