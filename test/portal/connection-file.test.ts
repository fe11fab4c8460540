import test from 'ava';
import { validateXML } from 'xmllint-wasm';
import { emitPortal } from '../../generator/portal/emit-portal.js';
import { graphOf, graphOfText } from './portal.js';

// The structure of [MS-ODCFF] 2.7.1.1: a query and its data come together, in this order, after other connections.
const connectionSchema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:odc="urn:schemas-microsoft-com:office:odc" targetNamespace="urn:schemas-microsoft-com:office:odc" elementFormDefault="qualified" attributeFormDefault="qualified">
  <xs:element name="OfficeDataConnection"><xs:complexType><xs:sequence>
    <xs:element name="PowerQueryConnection"><xs:complexType>
      <xs:sequence>
        <xs:element name="ConnectionString" type="xs:string"/>
        <xs:element name="CommandType" type="xs:string"/>
        <xs:element name="CommandText" type="xs:string"/>
      </xs:sequence>
      <xs:attribute name="Type" use="required"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="OLEDB"/></xs:restriction></xs:simpleType></xs:attribute>
    </xs:complexType></xs:element>
    <xs:element name="PowerQueryMashupData" type="xs:string"/>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>`;

// The queries of a connection ([MS-QDEIF]), as Excel exports them.
const mashupSchema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://schemas.microsoft.com/DataMashup" elementFormDefault="qualified">
  <xs:element name="Mashup"><xs:complexType><xs:sequence>
    <xs:element name="Client" type="xs:string"/>
    <xs:element name="Version" type="xs:string"/>
    <xs:element name="MinVersion" type="xs:string"/>
    <xs:element name="Culture" type="xs:language"/>
    <xs:element name="SafeCombine" type="xs:boolean"/>
    <xs:element name="Items"><xs:complexType><xs:sequence>
      <xs:element name="Query" maxOccurs="unbounded"><xs:complexType>
        <xs:sequence>
          <xs:element name="Formula" type="xs:string"/>
          <xs:element name="IsParameterQuery" type="xs:boolean" nillable="true"/>
          <xs:element name="IsDirectQuery" type="xs:boolean" nillable="true"/>
        </xs:sequence>
        <xs:attribute name="Name" type="xs:string" use="required"/>
      </xs:complexType></xs:element>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>`;

const quoted = graphOfText(
  '<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="A"><EntityType Name="Übung"><Key><PropertyRef Name="Schlüssel"/></Key><Property Name="Schlüssel" Type="Edm.String" MaxLength="9" Nullable="false"/></EntityType><EntityContainer Name="C"><EntitySet Name="Übungen" EntityType="A.Übung"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>',
);

async function faultsOf(xml: string, schema: string): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: { fileName: 'file.xml', contents: xml },
    schema: { fileName: 'schema.xsd', contents: schema },
  });
  return errors.map(({ message }) => message);
}

function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

for (const [name, graph] of [
  ['listing', graphOf('model/metadata.xml')],
  ['orders', graphOf('test/portal/orders.xml')],
  ['letters of other languages', quoted],
] as const)
  test(`the connection file of ${name} has the structure that Office documents, and the query of the other file`, async (t) => {
    const files = emitPortal(graph);
    const odc = files.find(({ path }) => path.endsWith('.odc'))?.text ?? '';
    const pq = files.find(({ path }) => path.endsWith('.pq'))?.text ?? '';
    const [, connection = ''] = /<xml id=msodc>([^]*?)<\/xml>/.exec(odc) ?? [];
    t.deepEqual(await faultsOf(connection, connectionSchema), []);
    const [, data = ''] = /<odc:PowerQueryMashupData>([^]*)<\/odc:PowerQueryMashupData>/.exec(connection) ?? [];
    t.deepEqual(await faultsOf(decoded(data), mashupSchema), []);
    const [, formula = ''] = /<Formula><!\[CDATA\[([^]*)\]\]><\/Formula>/.exec(decoded(data)) ?? [];
    t.is(`${formula}\n`, pq);
    t.deepEqual(unbalanced(pq), []);
    const [, set] = /Location=&quot;([^&]*)&quot;/.exec(connection) ?? [];
    t.true(pq.includes(`Source{[Name = "${set}", Signature = "table"]}[Data]`));
  });

// The brackets of a text of Power Query that nothing closes; a quote in a text is doubled.
function unbalanced(query: string): readonly string[] {
  const open: string[] = [];
  const pairs: { readonly [close: string]: string } = { ')': '(', ']': '[', '}': '{' };
  for (const [mark] of query.replace(/"(?:[^"]|"")*"/g, '').matchAll(/[()[\]{}]/g)) {
    if (pairs[mark] === undefined) open.push(mark);
    else if (open.pop() !== pairs[mark]) return [mark];
  }
  return open;
}
