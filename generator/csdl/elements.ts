/** The grammar of one element. */
export interface ElementRule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
}

const edmx = 'http://docs.oasis-open.org/odata/ns/edmx';
const edm = 'http://docs.oasis-open.org/odata/ns/edm';
const inEdmx: ReadonlySet<string> = new Set(['Edmx', 'Reference', 'Include', 'IncludeAnnotations', 'DataServices']);

/** The XML namespace that an element of CSDL belongs to. */
export const namespaces = { edmx, edm, of: (name: string): string => (inEdmx.has(name) ? edmx : edm) } as const;

/** The words of a text. */
export function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

const facets = ['Nullable', 'MaxLength', 'Precision', 'Scale', 'SRID', 'Unicode'];
const note = ['Annotation'];

/** Expressions with a text value. */
export const constants = words('Binary Bool Date DateTimeOffset Decimal Duration EnumMember Float Guid Int String TimeOfDay');

/** Expressions with a path value. */
export const paths = words('Path PropertyPath NavigationPropertyPath AnnotationPath ModelElementPath AnyPropertyPath');

/** Operators over other expressions. */
export const operators = words('And Or Not Eq Ne Gt Ge Lt Le Has In Add Sub Neg Mul Div DivBy Mod If UrlRef');

const written = [...constants, ...paths, 'UrlRef'];

/** All elements that are expressions. */
export const expressions: readonly string[] = [
  ...constants,
  ...paths,
  ...operators,
  ...words('Null Collection Record Apply Cast IsOf LabeledElement LabeledElementReference'),
];

const text: ElementRule = { required: [], optional: [], children: [] };
const operator: ElementRule = { required: [], optional: [], children: [...expressions, ...note] };
const rows = (names: readonly string[], rule: ElementRule): readonly (readonly [string, ElementRule])[] =>
  names.map((name) => [name, rule]);

// oxfmt-ignore
/** The grammar of CSDL XML 4.01, one row an element. */
export const elements: ReadonlyMap<string, ElementRule> = new Map<string, ElementRule>([
  ['Edmx', { required: ['Version'], optional: [], children: ['Reference', 'DataServices'] }],
  ['Reference', { required: ['Uri'], optional: [], children: ['Include', 'IncludeAnnotations', ...note] }],
  ['Include', { required: ['Namespace'], optional: ['Alias'], children: note }],
  ['IncludeAnnotations', { required: ['TermNamespace'], optional: ['Qualifier', 'TargetNamespace'], children: [] }],
  ['DataServices', { required: [], optional: [], children: ['Schema'] }],
  ['Schema', { required: ['Namespace'], optional: ['Alias'], children: ['EntityType', 'ComplexType', 'EnumType', 'TypeDefinition', 'Term', 'Action', 'Function', 'EntityContainer', 'Annotations', ...note] }],
  ['EntityType', { required: ['Name'], optional: ['BaseType', 'Abstract', 'OpenType', 'HasStream'], children: ['Key', 'Property', 'NavigationProperty', ...note] }],
  ['ComplexType', { required: ['Name'], optional: ['BaseType', 'Abstract', 'OpenType'], children: ['Property', 'NavigationProperty', ...note] }],
  ['Key', { required: [], optional: [], children: ['PropertyRef'] }],
  ['PropertyRef', { required: ['Name'], optional: ['Alias'], children: [] }],
  ['Property', { required: ['Name', 'Type'], optional: [...facets, 'DefaultValue'], children: note }],
  ['NavigationProperty', { required: ['Name', 'Type'], optional: ['Nullable', 'Partner', 'ContainsTarget'], children: ['ReferentialConstraint', 'OnDelete', ...note] }],
  ['ReferentialConstraint', { required: ['Property', 'ReferencedProperty'], optional: [], children: note }],
  ['OnDelete', { required: ['Action'], optional: [], children: note }],
  ['EnumType', { required: ['Name'], optional: ['UnderlyingType', 'IsFlags'], children: ['Member', ...note] }],
  ['Member', { required: ['Name'], optional: ['Value'], children: note }],
  ['TypeDefinition', { required: ['Name', 'UnderlyingType'], optional: facets.slice(1), children: note }],
  ['Term', { required: ['Name', 'Type'], optional: [...facets, 'BaseTerm', 'DefaultValue', 'AppliesTo'], children: note }],
  ['Action', { required: ['Name'], optional: ['IsBound', 'EntitySetPath'], children: ['Parameter', 'ReturnType', ...note] }],
  ['Function', { required: ['Name'], optional: ['IsBound', 'IsComposable', 'EntitySetPath'], children: ['Parameter', 'ReturnType', ...note] }],
  ['Parameter', { required: ['Name', 'Type'], optional: facets, children: note }],
  ['ReturnType', { required: ['Type'], optional: facets, children: note }],
  ['EntityContainer', { required: ['Name'], optional: ['Extends'], children: ['EntitySet', 'Singleton', 'ActionImport', 'FunctionImport', ...note] }],
  ['EntitySet', { required: ['Name', 'EntityType'], optional: ['IncludeInServiceDocument'], children: ['NavigationPropertyBinding', ...note] }],
  ['Singleton', { required: ['Name', 'Type'], optional: ['Nullable'], children: ['NavigationPropertyBinding', ...note] }],
  ['NavigationPropertyBinding', { required: ['Path', 'Target'], optional: [], children: [] }],
  ['ActionImport', { required: ['Name', 'Action'], optional: ['EntitySet'], children: note }],
  ['FunctionImport', { required: ['Name', 'Function'], optional: ['EntitySet', 'IncludeInServiceDocument'], children: note }],
  ['Annotations', { required: ['Target'], optional: ['Qualifier'], children: note }],
  ['Annotation', { required: ['Term'], optional: ['Qualifier', ...written], children: [...expressions, ...note] }],
  ...rows([...constants, ...paths], text),
  ...rows(operators, operator),
  ['Null', { required: [], optional: [], children: note }],
  ['Collection', { required: [], optional: [], children: expressions }],
  ['Record', { required: [], optional: ['Type'], children: ['PropertyValue', ...note] }],
  ['PropertyValue', { required: ['Property'], optional: written, children: [...expressions, ...note] }],
  ['Apply', { required: ['Function'], optional: [], children: [...expressions, ...note] }],
  ['Cast', { required: ['Type'], optional: facets.slice(1), children: [...expressions, ...note] }],
  ['IsOf', { required: ['Type'], optional: facets.slice(1), children: [...expressions, ...note] }],
  ['LabeledElement', { required: ['Name'], optional: written, children: [...expressions, ...note] }],
  ['LabeledElementReference', { required: [], optional: [], children: [] }],
]);
