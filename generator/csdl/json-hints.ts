// The meaning of strings, which CSDL JSON does not mark: paths and members of enumerations, in known vocabularies (CSDL
// JSON 4.01, 14.3 and 14.4).
const property = 'PropertyPath';
const navigation = 'NavigationPropertyPath';

/** The meaning of a string in the value of a term: a kind of path, or the type of an enumeration. */
export const termHints: ReadonlyMap<string, string> = new Map([
  ['Org.OData.Capabilities.V1.ConformanceLevel', 'Org.OData.Capabilities.V1.ConformanceLevelType'],
  ['Org.OData.Capabilities.V1.IsolationSupported', 'Org.OData.Capabilities.V1.IsolationLevel'],
  ['Org.OData.Core.V1.Permissions', 'Org.OData.Core.V1.Permission'],
  ['Org.OData.Core.V1.OptimisticConcurrency', property],
  ['ServiceRules.V1.ETagSource', property],
]);

/** The meaning of a string in a member of a record. */
export const memberHints: ReadonlyMap<string, string> = new Map([
  ['AscendingOnlyProperties', property],
  ['CollectionProperty', property],
  ['DescendingOnlyProperties', property],
  ['ExpandableProperties', navigation],
  ['FilterableProperties', property],
  ['Kind', 'Org.OData.Core.V1.RevisionKind'],
  ['Location', 'Org.OData.Authorization.V1.KeyLocation'],
  ['Navigability', 'Org.OData.Capabilities.V1.NavigationType'],
  ['NavigationProperty', navigation],
  ['NodeProperty', property],
  ['NonCountableNavigationProperties', navigation],
  ['NonCountableProperties', property],
  ['NonDeletableNavigationProperties', navigation],
  ['NonExpandableProperties', navigation],
  ['NonExpandableStreamProperties', property],
  ['NonFilterableProperties', property],
  ['NonInsertableNavigationProperties', navigation],
  ['NonInsertableProperties', property],
  ['NonSortableProperties', property],
  ['NonUpdatableNavigationProperties', navigation],
  ['NonUpdatableProperties', property],
  ['On', 'ServiceRules.V1.Moments'],
  ['ParentNavigationProperty', navigation],
  ['Properties', property],
  ['Property', property],
  ['RequiredProperties', property],
  ['Strategy', 'ServiceRules.V1.KeyStrategy'],
  ['UnsupportedExpressions', 'Org.OData.Capabilities.V1.SearchExpressions'],
  ['UpdateMethod', 'Org.OData.Capabilities.V1.HttpMethod'],
]);
