import test from 'ava';
import { inputLimits } from '../../generator/csdl/limits.js';
import { readModel } from '../../generator/generate.js';
import type { Policy } from '../../generator/policy.js';
import { ModelError } from '../../generator/model-error.js';

const open = '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>';
const close = '</edmx:DataServices></edmx:Edmx>';

function codesAndFirst(bytes: Uint8Array, policy?: Policy): string {
  try {
    readModel({ path: 'model.xml', bytes }, policy && { policy });
    return 'none';
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return `${[...new Set(error.diagnostics.map(({ code }) => code))].join(' ')}: ${error.diagnostics[0]?.message}`;
  }
}

const text = (body: string): Uint8Array => new TextEncoder().encode(open + body + close);
const nested = (levels: number): string => '<A>'.repeat(levels) + '</A>'.repeat(levels);
const attributes = (count: number): string => `<A ${Array.from({ length: count }, (_, index) => `a${index}="1"`).join(' ')}/>`;

const repeat = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('');
const schema = (...elements: readonly string[]): Uint8Array =>
  text(`<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="S">${elements.join('')}</Schema>`);
const enumType = (name: string, members: number): string =>
  `<EnumType Name="${name}">${repeat(members, (index) => `<Member Name="M${index}"/>`)}</EnumType>`;
const complexType = (name: string, properties: number): string =>
  `<ComplexType Name="${name}">${repeat(properties, (index) => `<Property Name="P${index}" Type="Edm.String"/>`)}</ComplexType>`;
const line = (bases: number): string =>
  `<ComplexType Name="T0"/>${repeat(bases, (index) => `<ComplexType Name="T${index + 1}" BaseType="S.T${index}"/>`)}`;
const action = (parameters: number): string =>
  `<Action Name="A">${repeat(parameters, (index) => `<Parameter Name="p${index}" Type="Edm.String"/>`)}</Action>`;
const item = (properties: string): string =>
  `<EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>${properties}</EntityType>`;
const enumTypes = (members: number): readonly string[] =>
  [0, 1, 2, 3, 4, 5, 6].map((index) => enumType(`E${index}`, inputLimits.members)).concat(enumType('E', members));
const sets = (count: number): string =>
  `<EntityContainer Name="C">${repeat(count, (index) => `<EntitySet Name="S${index}" EntityType="S.Item"/>`)}</EntityContainer>`;

// oxfmt-ignore
// Each limit at its value, which passes on to the next check, and one beyond.
const rows: readonly (readonly [string, Uint8Array, RegExp])[] = [
  ['bytes at the limit', new Uint8Array(inputLimits.bytes).fill(32), /CSDL002/],
  ['bytes beyond', new Uint8Array(inputLimits.bytes + 1).fill(32), /more than 16777216 bytes/],
  ['depth at the limit', text(nested(inputLimits.depth - 2)), /CSDL007/],
  ['depth beyond', text(nested(inputLimits.depth - 1)), /more than 64 levels/],
  ['attributes at the limit', text(attributes(inputLimits.attributes)), /CSDL007/],
  ['attributes beyond', text(attributes(inputLimits.attributes + 1)), /more than 64 attributes/],
  ['elements at the limit', text('<A/>'.repeat(inputLimits.elements - 2)), /CSDL007/],
  ['elements beyond', text('<A/>'.repeat(inputLimits.elements - 1)), /more than 200000 elements/],
  ['members of a type at the limit', schema(enumType('E', inputLimits.members)), /CSDL029/],
  ['members of a type beyond', schema(enumType('E', inputLimits.members + 1)), /CSDL004: .*more than 20000 members of E/],
  ['properties of a type at the limit', schema(complexType('T', inputLimits.members)), /CSDL029/],
  ['properties of a type beyond', schema(complexType('T', inputLimits.members + 1)), /CSDL004: .*more than 20000 properties of T/],
  ['base types at the limit', schema(line(inputLimits.bases)), /CSDL029/],
  ['base types beyond', schema(line(inputLimits.bases + 1)), /CSDL004: .*more than 100 base types of T101/],
  ['parameters at the limit', schema(action(inputLimits.parameters)), /CSDL029/],
  ['parameters beyond', schema(action(inputLimits.parameters + 1)), /CSDL004: .*more than 1000 parameters of A/],
  ['types at the limit', schema(repeat(inputLimits.tables, (index) => `<ComplexType Name="T${index}"/>`)), /CSDL029/],
  ['types beyond', schema(repeat(inputLimits.tables + 1, (index) => `<ComplexType Name="T${index}"/>`)), /CSDL004: .*more than 10000 types, each counted per entity source: 10001,/],
  ['places beyond', schema(item(''), sets(inputLimits.tables + 1)), /CSDL004: .*more than 10000 types, .*, of which Item has 10001/],
  ['members of all types at the limit', schema(...enumTypes(inputLimits.allMembers - 7 * inputLimits.members - 2), '<ComplexType Name="T"><Property Name="P" Type="Edm.String"/></ComplexType>'), /CSDL029/],
  ['members of all types beyond', schema(...enumTypes(inputLimits.allMembers - 7 * inputLimits.members - 1), '<ComplexType Name="T"><Property Name="P" Type="Edm.String"/></ComplexType>'), /CSDL004: .*more than 150000 members of types, .*: 150001,/],
  ['inherited members', schema(item(repeat(10_000, (index) => `<Property Name="P${index}" Type="Edm.String"/>`)), repeat(15, (index) => `<EntityType Name="T${index}" BaseType="S.Item"/>`)), /CSDL004: .*, of which T0 has 10003/],
  ['members of values', schema(complexType('T', 10_000), item(repeat(15, (index) => `<Property Name="P${index}" Type="S.T"/>`))), /CSDL004: .*, of which Item has 150017/],
  ['members at many places', schema(item(repeat(500, (index) => `<Property Name="P${index}" Type="Edm.String"/>`)), sets(300)), /CSDL004: .*, of which Item has 150600/],
  ['records within their own kind', schema(item(repeat(500, (index) => `<NavigationProperty Name="N${index}" Type="Collection(S.Item)" ContainsTarget="true"/>`)), sets(1)), /CSDL004: .*, of which Item has 251502/],
  ['bytes that are no UTF-8', Uint8Array.from([0x3c, 0xff, 0x3e]), /CSDL001/],
];

for (const [name, bytes, expected] of rows) {
  test(name, (t) => t.regex(codesAndFirst(bytes), expected));
}

// RESO's Data Dictionary 1.7 has 1 567 annotations whose terms no document declares.
test('any number of warnings, but not of types that resemble none', (t) => {
  const lenient: Policy = { mode: 'lenient', choices: {} };
  const properties = repeat(inputLimits.faults, (index) => `<Property Name="P${index}" Type="Edm.Int32" MaxLength="4"/>`);
  t.is(codesAndFirst(schema(item(properties), sets(1)), lenient), 'none');
  t.regex(codesAndFirst(schema(item(properties.replaceAll('Edm.Int32', 'S.Lost')), sets(1)), lenient), /CSDL077/);
});
