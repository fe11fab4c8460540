import { fc } from '../support/fast-check.js';
import { XMLValidator } from 'fast-xml-parser';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { scanXml } from '../../generator/csdl/scan-xml.js';
import { generate } from '../../generator/generate.js';
import { ModelError, printFault } from '../../generator/model-error.js';

const head = '<?xml version="1.0" encoding="utf-8"?>\n';
const open =
  '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>\n<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="S">\n';
const rest =
  '\n<EntityType Name="A"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType><EntityContainer Name="C"><EntitySet Name="As" EntityType="S.A"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>\n';

// oxfmt-ignore
const rows: readonly (readonly [string, string, string])[] = [
  ['a comment with one hyphen at its start', `${head}${open}<!---> a - b -->${rest}`, ''],
  ['an empty comment', `${head}<!---->${open}${rest}`, ''],
  ['the end of a CDATA section in a value', `${head}${open}<Annotation Term="Core.Description" String="a]]>"/>${rest}`, ''],
  ['the end of a CDATA section in a comment', `${head}${open}<!-- ]]> -->${rest}`, ''],
  ['an instruction whose name begins with xml', `${head}<?xml-stylesheet href="a.xsl"?>${open}${rest}`, ''],
  ['two hyphens in a comment', `${head}${open}<!-- a -- b -->${rest}`, '4:8 two hyphens inside a comment'],
  ['a comment that ends with three hyphens', `${head}${open}<!-- a --->${rest}`, '4:8 two hyphens inside a comment'],
  ['two hyphens in a comment after the root', `${head}${open}${rest}<!-- -- -->`, '6:6 two hyphens inside a comment'],
  ['a declaration after a line break', `\n${head}${open}${rest}`, '2:1 an XML declaration that is not the first text of the file'],
  ['a declaration inside an element', `${head}${open}<?xml version="1.0"?>${rest}`, '4:1 an XML declaration that is not the first text of the file'],
  ['a declaration in upper case', `${head}${open}<?XML?>${rest}`, '4:1 an XML declaration that is not the first text of the file'],
  ['the end of a CDATA section in text', `${head}${open}a ]]> b${rest}`, '4:3 ]]> outside a CDATA section'],
  ['the end of a CDATA section twice', `${head}${open}<![CDATA[ a ]]>]]>${rest}`, '4:16 ]]> outside a CDATA section'],
];

for (const [name, document, fault] of rows) {
  test(`well-formed XML: ${name}`, (t) => t.is(malformedAt(document), fault));
}

// The place and the reason, or nothing where the document is well-formed.
function malformedAt(document: string): string {
  try {
    generate({ path: 'model.xml', bytes: Buffer.from(document) });
    return '';
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const lines = error.diagnostics.map((diagnostic) => printFault(error.sources, diagnostic));
    const found = lines.flatMap((line) => /^model\.xml:(\d+:\d+) error CSDL002 The file is not well-formed XML: (.*); /.exec(line) ?? []);
    return found.slice(1).join(' ');
  }
}

test('a document that the scan takes for plain is well-formed to the validator', (t) => {
  const model = `${head}${open}<Annotation Term="Core.Description"><String>a</String></Annotation>${rest}`;
  const insertions = fc.array(fc.tuple(fc.nat(model.length), fc.constantFrom(...fragments), fc.nat(2)), { maxLength: 3 });
  t.true(isPlain(model));
  fc.assert(
    fc.property(insertions, (changes) => {
      const changed = changes.reduce((text, [at, fragment, cut]) => text.slice(0, at) + fragment + text.slice(at + cut), model);
      return !isPlain(changed) || XMLValidator.validate(changed) === true;
    }),
    { numRuns: 3_000 },
  );
});

test('the listing model is plain', (t) => {
  t.true(isPlain(readFileSync('model/metadata.xml', 'utf8')));
});

const fragments = [
  ...'<>/"\'& =a-!?:;1ä\u00a0\n',
  '</Schema>',
  '<a/>',
  '<a>',
  '</a>',
  ' b="c"',
  ' Name="A"',
  ']]>',
  '<!--',
  '-->',
  '&amp;',
];

function isPlain(text: string): boolean {
  const refuse = (): never => {
    throw new SyntaxError(text);
  };
  try {
    return scanXml({ path: 'model.xml', text, start: 0, refuse }).isPlain;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
