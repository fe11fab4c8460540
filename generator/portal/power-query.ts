import { root } from '../emit/example.js';
import { shownFields } from '../emit/example-values.js';
import type { EntityNode } from '../graph/model-graph.js';
import { escapeHtml } from './html.js';

/** The query of a set as text of Power Query: by Basic, which the program asks for. */
export function basicQuery(entity: EntityNode): string {
  return `let
    Options = ${feedOptions()},
    Source = OData.Feed("${root}", null, Options),
${tableSteps(entity)}`;
}

/** The query of a set that gets a token by itself. */
export function bearerQuery(entity: EntityNode): string {
  const origin = root.slice(0, -'/odata'.length);
  return `let
    ClientId = "NAME",
    ClientSecret = "SECRET",
    Form = [grant_type = "client_credentials", client_id = ClientId, client_secret = ClientSecret],
    Answer = Web.Contents("${origin}/oauth2/token", [
        Headers = [#"Content-Type" = "application/x-www-form-urlencoded"],
        Content = Text.ToBinary(Uri.BuildQueryString(Form))
    ]),
    Token = Json.Document(Answer)[access_token],
    Options = ${feedOptions('Headers = [Authorization = "Bearer " & Token]')},
    Source = OData.Feed("${root}", null, Options),
${tableSteps(entity)}`;
}

/** The condition of an incremental refresh, which the service carries out. */
export function incrementalQuery(entity: EntityNode, field: string): string {
  return `let
    Options = ${feedOptions()},
    Source = OData.Feed("${root}", null, Options),
    Table = Source{[Name = ${text(entity.entitySet ?? '')}, Signature = "table"]}[Data],
    Rows = Table.SelectRows(Table, each ${member(field)} >= DateTimeZone.From(RangeStart) and ${member(field)} < DateTimeZone.From(RangeEnd))
in
    Rows`;
}

function feedOptions(more?: string): string {
  return `[${['Implementation = "2.0"', 'ODataVersion = 4', 'OmitValues = ODataOmitValues.Nulls', ...(more === undefined ? [] : [more])].join(', ')}]`;
}

function tableSteps(entity: EntityNode): string {
  const names = shownFields(entity).map(({ name }) => text(name));
  return `    Table = Source{[Name = ${text(entity.entitySet ?? '')}, Signature = "table"]}[Data],
    Columns = Table.SelectColumns(Table, {${names.join(', ')}})
in
    Columns`;
}

function text(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

function member(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `[${name}]` : `[#"${name.replaceAll('"', '""')}"]`;
}

/** A file that opens a query in Excel (Office Data Connection). */
export function connectionFile(name: string, query: string): string {
  const mashup = `<Mashup xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://schemas.microsoft.com/DataMashup"><Client>EXCEL</Client><Version>2.140.405.0</Version><MinVersion>2.21.0.0</MinVersion><Culture>en-US</Culture><SafeCombine>true</SafeCombine><Items><Query Name="${escapeHtml(name)}"><Formula><![CDATA[${query}]]></Formula><IsParameterQuery xsi:nil="true" /><IsDirectQuery xsi:nil="true" /></Query></Items></Mashup>`;
  const title = escapeHtml(name);
  return `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/x-ms-odc; charset=utf-8">
<meta name=ProgId content=ODC.Database>
<meta name=SourceType content=OLEDB>
<title>Query - ${title}</title>
<xml id=docprops><o:DocumentProperties xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<o:Name>Query - ${title}</o:Name>
</o:DocumentProperties></xml>
<xml id=msodc><odc:OfficeDataConnection xmlns:odc="urn:schemas-microsoft-com:office:odc" xmlns="http://www.w3.org/TR/REC-html40">
<odc:PowerQueryConnection odc:Type="OLEDB">
<odc:ConnectionString>Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location=&quot;${title}&quot;;Extended Properties=&quot;&quot;</odc:ConnectionString>
<odc:CommandType>SQL</odc:CommandType>
<odc:CommandText>SELECT * FROM [${title}]</odc:CommandText>
</odc:PowerQueryConnection>
<odc:PowerQueryMashupData>${escapeHtml(mashup)}</odc:PowerQueryMashupData>
</odc:OfficeDataConnection></xml>
</head>
<body></body>
</html>
`;
}
