import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { validateXML } from 'xmllint-wasm';
import { csdl40 } from '../../runtime/features/metadata-40/metadata-40.js';

const document = (schema: string): string =>
  `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="T"><Term Name="Z"/>${schema}</Schema></edmx:DataServices></edmx:Edmx>`;

const reference = (annotations: string): string =>
  `<edmx:Edmx Version="4.0"><edmx:Reference Uri="a.xml"><edmx:Include Namespace="A">${annotations}</edmx:Include></edmx:Reference></edmx:Edmx>`;

const annotation = (expression: string): string => `<Annotation Term="Core.Example">${expression}</Annotation>`;

// oxfmt-ignore
/** Parts of a schema that came with 4.01, each with its form in a document of 4.0 (CSDL XML 4.01, 17). */
const cases: { readonly [title: string]: readonly [written: string, served: string] } = {
  'a call without an argument': [annotation('<Apply Function="odata.now"/>') + annotation('<Bool>true</Bool>'), annotation('<Bool>true</Bool>')],
  'a call with nothing but an annotation': [annotation(`<Apply Function="odata.concat">${annotation('')}</Apply>`), ''],
  'a function that came later': [annotation('<Apply Function="odata.matchesPattern"><Path>A</Path><String>a</String></Apply>'), ''],
  'a function of 4.0': [annotation('<Apply Function="odata.concat"><String>a</String></Apply>'), annotation('<Apply Function="odata.concat"><String>a</String></Apply>')],
  'an operator that came later, within a record': [annotation('<Record><PropertyValue Property="A"><Add><Int>1</Int><Int>2</Int></Add></PropertyValue></Record>'), ''],
  'an operator of 4.0': [annotation('<Not><Path>A</Path></Not>'), annotation('<Not><Path>A</Path></Not>')],
  'only the annotation that has the expression': [`<Annotation Term="A.B" Int="1">${annotation('<In><Int>1</Int><Collection/></In>')}</Annotation>`, '<Annotation Term="A.B" Int="1"></Annotation>'],
  'a path to an element of the model': ['<Annotation Term="A.B" ModelElementPath="T.A"/>', ''],
  'a path to any property': [annotation('<AnyPropertyPath>A/B</AnyPropertyPath>'), ''],
  'an absolute path': [annotation('<Path>/T.Container/As</Path>'), ''],
  'a path to a count': [annotation('<Path>As/$count</Path>'), annotation('<Path>As/$count</Path>')],
  'a path with an annotation': ['<Annotation Term="A.B" AnnotationPath="@UI.LineItem#a"/>', '<Annotation Term="A.B" AnnotationPath="@UI.LineItem#a"/>'],
  'the target of an overload': ['<Annotations Target="T.F(T.A)"><Annotation Term="A.B"/></Annotations>', ''],
  'a target whose annotations are omitted': [`<Annotations Target="T.A/B">${annotation('<Has/>')}</Annotations>`, ''],
  'an untyped property, of which answers have values': [
    '<ComplexType Name="A"><Property Name="B" Type="Edm.Untyped"/><Property Name="C" Type="Edm.Int32"/></ComplexType>',
    '<ComplexType Name="A" OpenType="true"><Property Name="C" Type="Edm.Int32"/></ComplexType>',
  ],
  'a collection of complex values of any type': [
    "<EntityType Name='A' OpenType='false'><Key><PropertyRef Name='C'/></Key><Property Name='B' Type='Collection(Edm.ComplexType)'/></EntityType>",
    "<EntityType Name='A' OpenType=\"true\"><Key><PropertyRef Name='C'/></Key></EntityType>",
  ],
  'an operation with an untyped parameter, and its import': [
    '<Action Name="A"><Parameter Name="B" Type="Edm.Untyped"/></Action><Action Name="C"/><EntityContainer Name="D"><ActionImport Name="A" Action="T.A"/><ActionImport Name="C" Action="T.C"/></EntityContainer>',
    '<Action Name="C"/><EntityContainer Name="D"><ActionImport Name="C" Action="T.C"/></EntityContainer>',
  ],
  'an import with another overload': [
    '<Function Name="A"><ReturnType Type="Edm.Untyped"/></Function><Function Name="A"><ReturnType Type="Edm.Int32"/></Function><EntityContainer Name="D"><FunctionImport Name="A" Function="T.A"/></EntityContainer>',
    '<Function Name="A"><ReturnType Type="Edm.Int32"/></Function><EntityContainer Name="D"><FunctionImport Name="A" Function="T.A"/></EntityContainer>',
  ],
  'a term of a type that came later': ['<Term Name="A" Type="Edm.AnyPropertyPath"/>', ''],
  'the Unicode facet': [
    '<Term Name="A" Type="Edm.String" Unicode="false"/><Action Name="B"><Parameter Name="P" Type="Edm.String" Unicode="false"/><ReturnType Type="Edm.String" Unicode="false"/></Action>',
    '<Term Name="A" Type="Edm.String"/><Action Name="B"><Parameter Name="P" Type="Edm.String"/><ReturnType Type="Edm.String"/></Action>',
  ],
  'a term that applies to collections, too': ['<Term Name="A" Type="Edm.String" AppliesTo="EntitySet Collection"/><Term Name="B" Type="Edm.String" AppliesTo="Include"/>', '<Term Name="A" Type="Edm.String" AppliesTo="EntitySet"/><Term Name="B" Type="Edm.String"/>'],
  'a time without seconds': [annotation('<TimeOfDay>12:00</TimeOfDay>') + '<Annotation Term="A.B" TimeOfDay="07:30"/>', annotation('<TimeOfDay>12:00:00</TimeOfDay>') + '<Annotation Term="A.B" TimeOfDay="07:30:00"/>'],
  'an enumeration without members': ['<EnumType Name="A"/><EnumType Name="B"> </EnumType>', '<EnumType Name="A"><Annotation Term="Org.OData.Core.V1.Description" String=""/></EnumType><EnumType Name="B"><Annotation Term="Org.OData.Core.V1.Description" String=""/></EnumType>'],
  'a floating scale': ['<TypeDefinition Name="A" UnderlyingType="Edm.Decimal" Scale="floating"/>', '<TypeDefinition Name="A" UnderlyingType="Edm.Decimal" Scale="variable"/>'],
  'a nullable singleton': ['<EntityContainer Name="D"><Singleton Name="A" Type="T.A" Nullable="true"/></EntityContainer>', '<EntityContainer Name="D"><Singleton Name="A" Type="T.A"/></EntityContainer>'],
  'comments, sections of text and brackets in values': ['<!-- <Has> --><Annotation Term="A.B"><String><![CDATA[<In>]]></String></Annotation><Annotation Term="A.B" String="a > b"/>', '<!-- <Has> --><Annotation Term="A.B"><String><![CDATA[<In>]]></String></Annotation><Annotation Term="A.B" String="a > b"/>'],
};

for (const [title, [written, served]] of Object.entries(cases)) {
  test(`in a document of 4.0: ${title}`, (t) => t.is(csdl40(document(written).replace('"4.0"', '"4.01"')), document(served)));
}

test('an included schema has no annotations in a document of 4.0', (t) => {
  t.is(csdl40(reference('<Annotation Term="Core.DefaultNamespace"/><Annotation Term="A.B"/>')), reference(''));
});

test('a schema without children is not in a document of 4.0', (t) => {
  t.notRegex(csdl40('<Schema Namespace="T"><Term Name="A" Type="Edm.AnyPropertyPath"/></Schema>'), /<Schema/);
});

// The rules of the schema of 4.0 that are stricter than those of 4.01.
const stricter: readonly (readonly [RegExp, string])[] = [
  [
    /(<xs:complexType name="TApplyExpression">\s*)<xs:choice minOccurs="0"[^]*?<\/xs:choice>/,
    '$1<xs:sequence><xs:element ref="edm:Annotation" minOccurs="0" maxOccurs="unbounded"/><xs:group ref="edm:GExpressionFollowedByAnnotations" maxOccurs="unbounded"/></xs:sequence>',
  ],
  [/<xs:element name="(?:Has|In|Add|Sub|Neg|Mul|Div|DivBy|Mod|ModelElementPath)"[^>]*>/g, ''],
  [/<xs:attribute name="ModelElementPath"[^>]*>/g, ''],
  [/<xs:enumeration value="(?:Collection\()?Edm\.(?:Untyped|AnyPropertyPath|ModelElementPath)\)?" \/>/g, ''],
  [/<xs:enumeration value="floating" \/>/, ''],
  [/<xs:enumeration value="(?:Collection|Include)" \/>/g, ''],
];

const read = (path: string): string => readFileSync(path, 'utf8');

const models = [
  ...['metadata.xml', 'ServiceRules.V1.xml', 'RESO.OData.Metadata.xml'].map((name) => `generated/${name}`),
  'test/generator/whole.xml',
  ...readdirSync('test/toy')
    .filter((name) => name.endsWith('.xml'))
    .map((name) => `test/toy/${name}`),
  ...readdirSync('test/vocabularies').map((name) => `test/vocabularies/${name}`),
];

test('documents of 4.0 follow the schema of 4.0', async (t) => {
  const edm = stricter.reduce((schema, [rule, replacement]) => {
    t.regex(schema, rule);
    return schema.replace(rule, replacement);
  }, read('test/schemas/edm.xsd'));
  const { errors } = await validateXML({
    xml: models.map((fileName) => ({ fileName, contents: csdl40(read(fileName)) })),
    schema: [{ fileName: 'edmx.xsd', contents: read('test/schemas/edmx.xsd').replace(/<xs:enumeration value="4.01" \/>/, '') }],
    preload: [{ fileName: 'edm.xsd', contents: edm }],
  });
  t.deepEqual(
    errors.map(({ rawMessage }) => rawMessage),
    [],
  );
});
