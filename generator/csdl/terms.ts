import { editDistance } from '../../runtime/errors/suggest.js';
import { words } from './elements.js';

/** Full names of the terms that drive generated code. */
export const terms = {
  description: 'Org.OData.Core.V1.Description',
  longDescription: 'Org.OData.Core.V1.LongDescription',
  example: 'Org.OData.Core.V1.Example',
  computed: 'Org.OData.Core.V1.Computed',
  computedDefault: 'Org.OData.Core.V1.ComputedDefaultValue',
  immutable: 'Org.OData.Core.V1.Immutable',
  access: 'Org.OData.Core.V1.Permissions',
  ordered: 'Org.OData.Core.V1.Ordered',
  acceptableMediaTypes: 'Org.OData.Core.V1.AcceptableMediaTypes',
  mediaType: 'Org.OData.Core.V1.MediaType',
  optimisticConcurrency: 'Org.OData.Core.V1.OptimisticConcurrency',
  insert: 'Org.OData.Capabilities.V1.InsertRestrictions',
  update: 'Org.OData.Capabilities.V1.UpdateRestrictions',
  delete: 'Org.OData.Capabilities.V1.DeleteRestrictions',
  read: 'Org.OData.Capabilities.V1.ReadRestrictions',
  readByKey: 'Org.OData.Capabilities.V1.ReadByKeyRestrictions',
  filter: 'Org.OData.Capabilities.V1.FilterRestrictions',
  sort: 'Org.OData.Capabilities.V1.SortRestrictions',
  search: 'Org.OData.Capabilities.V1.SearchRestrictions',
  expand: 'Org.OData.Capabilities.V1.ExpandRestrictions',
  changeTracking: 'Org.OData.Capabilities.V1.ChangeTracking',
  navigation: 'Org.OData.Capabilities.V1.NavigationRestrictions',
  navigationProperty: 'Org.OData.Capabilities.V1.NavigationPropertyRestriction',
  schemaVersion: 'Org.OData.Core.V1.SchemaVersion',
  filterFunctions: 'Org.OData.Capabilities.V1.FilterFunctions',
  batchSupported: 'Org.OData.Capabilities.V1.BatchSupported',
  crossJoinSupported: 'Org.OData.Capabilities.V1.CrossJoinSupported',
  defaultCapabilities: 'Org.OData.Capabilities.V1.DefaultCapabilities',
  permissions: 'Org.OData.Capabilities.V1.Permissions',
  scopes: 'Org.OData.Capabilities.V1.Scopes',
  operation: 'Org.OData.Capabilities.V1.OperationRestrictions',
  defaultNamespace: 'Org.OData.Core.V1.DefaultNamespace',
  optionalParameter: 'Org.OData.Core.V1.OptionalParameter',
  allowedValues: 'Org.OData.Validation.V1.AllowedValues',
  minimum: 'Org.OData.Validation.V1.Minimum',
  maximum: 'Org.OData.Validation.V1.Maximum',
  exclusive: 'Org.OData.Validation.V1.Exclusive',
  pattern: 'Org.OData.Validation.V1.Pattern',
  lookupName: 'RESO.OData.Metadata.LookupName',
  limits: 'ServiceRules.V1.Limits',
  keyGeneration: 'ServiceRules.V1.KeyGeneration',
  generated: 'ServiceRules.V1.Generated',
  transitions: 'ServiceRules.V1.Transitions',
  transition: 'ServiceRules.V1.Transition',
  assignment: 'ServiceRules.V1.Assignment',
  etagSource: 'ServiceRules.V1.ETagSource',
  indexes: 'ServiceRules.V1.Indexes',
  index: 'ServiceRules.V1.Index',
  rowRules: 'ServiceRules.V1.RowRules',
  rowRule: 'ServiceRules.V1.RowRule',
  changeEvents: 'ServiceRules.V1.ChangeEvents',
  searchable: 'ServiceRules.V1.Searchable',
  deletesTarget: 'ServiceRules.V1.DeletesTarget',
  renamedFrom: 'ServiceRules.V1.RenamedFrom',
  storage: 'ServiceRules.V1.Storage',
  storageLayout: 'ServiceRules.V1.StorageLayout',
} as const;

/** A term with the usual alias of its vocabulary. */
export function shortTerm(term: string): string {
  return term.replace(/^Org\.OData\.(\w+)\.V1\./, '$1.').replace(/^ServiceRules\.V1\./, 'Rules.');
}

const restriction = words('Permissions QueryOptions CustomHeaders CustomQueryOptions Description LongDescription ErrorResponses');
const write = [...restriction, 'MaxLevels', 'TypecastSegmentSupported', 'RequiredProperties'];

// oxfmt-ignore
/**
 * The members of the records that the generator reads; any other member is reported, since ignoring it would lose a
 * rule.
 */
export const recordMembers: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  [terms.insert, [...write, 'Insertable', 'NonInsertableProperties', 'NonInsertableNavigationProperties']],
  [terms.update, [...write, 'Updatable', 'Upsertable', 'DeltaUpdateSupported', 'UpdateMethod', 'FilterSegmentSupported', 'NonUpdatableProperties', 'NonUpdatableNavigationProperties']],
  [terms.delete, [...restriction, 'Deletable', 'NonDeletableNavigationProperties', 'MaxLevels', 'FilterSegmentSupported', 'TypecastSegmentSupported']],
  [terms.read, [...restriction, 'Readable', 'TypecastSegmentSupported', 'ReadByKeyRestrictions']],
  [terms.readByKey, [...restriction, 'Readable', 'TypecastSegmentSupported']],
  [terms.filter, ['Filterable', 'RequiresFilter', 'RequiredProperties', 'NonFilterableProperties', 'FilterExpressionRestrictions', 'MaxLevels']],
  [terms.sort, ['Sortable', 'AscendingOnlyProperties', 'DescendingOnlyProperties', 'NonSortableProperties']],
  [terms.search, ['Searchable', 'UnsupportedExpressions']],
  [terms.expand, ['Expandable', 'StreamsExpandable', 'NonExpandableProperties', 'NonExpandableStreamProperties', 'MaxLevels']],
  [terms.changeTracking, ['Supported', 'FilterableProperties', 'ExpandableProperties']],
  [terms.navigation, ['Navigability', 'RestrictedProperties']],
  [terms.navigationProperty, [
    'NavigationProperty', 'Navigability', 'FilterFunctions', 'FilterRestrictions', 'SearchRestrictions', 'SortRestrictions', 'TopSupported', 'SkipSupported', 'SelectSupport', 'IndexableByKey',
    'InsertRestrictions', 'DeepInsertSupport', 'UpdateRestrictions', 'DeepUpdateSupport', 'DeleteRestrictions', 'OptimisticConcurrencyControl', 'ReadRestrictions',
  ]],
  [terms.operation, ['FilterSegmentSupported', 'Permissions', 'CustomHeaders', 'CustomQueryOptions', 'ErrorResponses']],
  [terms.optionalParameter, ['DefaultValue']],
  [terms.permissions, ['SchemeName', 'Scopes']],
  [terms.scopes, ['Scope', 'RestrictedProperties']],
  [terms.allowedValues, ['Value']],
  [terms.limits, ['MaxTop', 'MaxTopWithExpand', 'MaxSkip', 'DefaultPageSize', 'MaxPageSize', 'MaxPageSizeWithExpand', 'TopIsPageSize']],
  [terms.keyGeneration, ['Strategy', 'Prefix', 'AcceptGeneratedPartInKey']],
  [terms.generated, ['On', 'Value']],
  [terms.transitions, ['Allowed', 'UnlistedAllowed']],
  [terms.transition, ['From', 'To', 'RequiredProperties', 'Sets', 'FailureMessage']],
  [terms.assignment, ['Property', 'Value']],
  [terms.index, ['Properties', 'Substrings']],
  [terms.rowRule, ['Scope', 'Filter']],
  [terms.changeEvents, ['Sequence', 'Set', 'Key', 'Url']],
  [terms.storageLayout, ['PartitionRows', 'KeptDays', 'Distributed']],
]);

/** The terms of known vocabularies, for finding misspelt ones. */
export const knownTerms: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'Org.OData.Core.V1',
    words(`ODataVersions SchemaVersion Revisions Description LongDescription Links Example Messages ValueException
    ResourceException DataModificationException IsLanguageDependent RequiresType AppliesViaContainer ResourcePath DereferenceableIDs
    ConventionalIDs Permissions ContentID DefaultNamespace Immutable Computed ComputedDefaultValue IsURL AcceptableMediaTypes MediaType
    IsMediaType ContentDisposition OptimisticConcurrency AdditionalProperties AutoExpand AutoExpandReferences MayImplement Ordered
    PositionalInsert AlternateKeys OptionalParameter OperationAvailable RequiresExplicitBinding ExplicitOperationBindings SymbolicName
    GeometryFeature AnyStructure IsDelta`),
  ],
  [
    'Org.OData.Capabilities.V1',
    words(`ConformanceLevel SupportedFormats SupportedMetadataFormats AcceptableEncodings
    AsynchronousRequestsSupported BatchContinueOnErrorSupported IsolationSupported CrossJoinSupported CallbackSupported ChangeTracking
    CountRestrictions NavigationRestrictions IndexableByKey TopSupported SkipSupported ComputeSupported SelectSupport BatchSupported
    BatchSupport FilterFunctions FilterRestrictions SortRestrictions ExpandRestrictions SearchRestrictions KeyAsSegmentSupported
    QuerySegmentSupported InsertRestrictions DeepInsertSupport UpdateRestrictions DeepUpdateSupport DeleteRestrictions
    CollectionPropertyRestrictions OperationRestrictions AnnotationValuesInQuerySupported ModificationQueryOptions ReadRestrictions
    CustomHeaders CustomQueryOptions MediaLocationUpdateSupported DefaultCapabilities`),
  ],
  [
    'Org.OData.Validation.V1',
    words(`Pattern Minimum Maximum Exclusive AllowedValues MultipleOf Constraint ItemsOf
    OpenPropertyTypeConstraint DerivedTypeConstraint AllowedTerms ApplicableTerms MaxItems MinItems`),
  ],
  ['Org.OData.Authorization.V1', words('SecuritySchemes Authorizations')],
  ['Org.OData.Measures.V1', words('ISOCurrency Scale Unit UNECEUnit DurationGranularity')],
  ['RESO.OData.Metadata', words('LookupName')],
  [
    'ServiceRules.V1',
    words(
      'Limits KeyGeneration Generated Transitions ETagSource ErrorCodes Indexes RowRules ChangeEvents Searchable DeletesTarget RenamedFrom Storage StorageLayout',
    ),
  ],
]);

/** The rules for values that the service does not check. */
export const uncheckedTerms: readonly string[] = words('MultipleOf Constraint ItemsOf MaxItems MinItems').map(
  (name) => `Org.OData.Validation.V1.${name}`,
);

/** Whether a term is of an OASIS vocabulary, which may get new terms. */
export function isOfOasis(term: string): boolean {
  return term.startsWith('Org.OData.');
}

/** The OASIS vocabularies, ignored ones included. */
const oasisNames = words('Aggregation Authorization Capabilities Core Display Geo JSON Measures Repeatability Temporal Validation');
const knownNamespaces: ReadonlySet<string> = new Set([...knownTerms.keys(), ...oasisNames.map((name) => `Org.OData.${name}.V1`)]);

/** Whether a namespace is that of a vocabulary of OASIS or of this service, which needs no document. */
export function isKnownNamespace(namespace: string): boolean {
  return knownNamespaces.has(namespace);
}

/** The vocabulary whose namespace was probably misspelt; undefined for a namespace of somebody else. */
export function meantNamespace(namespace: string): string | undefined {
  return isKnownNamespace(namespace)
    ? undefined
    : [...knownNamespaces].find((known) => editDistance(namespace.toLowerCase(), known.toLowerCase(), 2) <= 2);
}
