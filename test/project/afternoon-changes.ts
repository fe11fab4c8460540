/** A change of a project's file, and the request that shows what is served afterwards. */
export interface Change {
  readonly title: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly request: string;
}

const file = 'model/metadata.xml';
const size = '<Property Name="Size"';
const mayor = '<Property Name="Mayor" Type="Edm.String" MaxLength="60"/>';
const founded = '<Property Name="Founded" Type="Edm.Int32" Nullable="false"/>';
const motto = '<Property Name="Motto" Type="Edm.String" MaxLength="60"/>';
const zip = '<Property Name="Zip" Type="Edm.String"/>';
const overlay = 'model/overlay.jsonc';

// oxfmt-ignore
/** Ten changes, of which the service refuses three. */
export const changes: readonly Change[] = [
  { title: 'A property', file, before: size, after: mayor + size, request: 'GET /Towns?$select=Mayor&$top=1' },
  { title: 'A required one without a value for the rows, refused', file, before: size, after: founded + size, request: 'GET /Towns?$select=Mayor&$top=1' },
  { title: 'With a default value', file, before: founded, after: founded.replace('/>', ' DefaultValue="1900"/>'), request: 'GET /Towns?$select=Founded&$top=1' },
  { title: 'A typing mistake, refused', file, before: 'Type="Atlas.Size"', after: 'Type="Atlas.Sise"', request: 'GET /Towns?$select=Size&$top=1' },
  { title: 'Without it, and required: rows without a value get the default', file, before: 'Type="Atlas.Sise"', after: 'Type="Atlas.Size" Nullable="false" DefaultValue="Small"', request: 'GET /Towns?$select=Size&$top=1' },
  { title: 'A rename that is not declared, refused', file, before: mayor, after: motto, request: 'GET /Towns?$select=Mayor&$top=1' },
  { title: 'Declared', file: overlay, before: '  // No gaps', after: '  "types": { "Town": { "properties": { "Motto": { "renamedFrom": "Mayor" } } } },\n  // No gaps', request: 'GET /Towns?$select=Motto&$top=1' },
  { title: 'A member of an enumeration', file, before: '<Member Name="Large"/>', after: '<Member Name="Large"/><Member Name="Huge"/>', request: "GET /Towns?$filter=Size eq 'Huge'&$select=Id" },
  { title: 'A longer text', file, before: 'Name="Name" Type="Edm.String" Nullable="false" MaxLength="40"', after: 'Name="Name" Type="Edm.String" Nullable="false" MaxLength="80"', request: 'GET /Towns?$select=Name&$top=1' },
  { title: 'A member of a complex type', file, before: zip, after: `${zip}<Property Name="Phone" Type="Edm.String"/>`, request: 'GET /Towns?$select=Hall/Phone&$top=1' },
];

// oxfmt-ignore
/** The changes of the next release, which the former one must survive. */
export const nextRelease: readonly Change[] = [
  { title: '', file, before: motto, after: '', request: '' },
  { title: '', file, before: size, after: `<Property Name="Twinned" Type="Edm.Boolean" Nullable="false" DefaultValue="false"/>${size}`, request: '' },
  { title: '', file: overlay, before: '  "types": { "Town": { "properties": { "Motto": { "renamedFrom": "Mayor" } } } },\n', after: '', request: '' },
];
