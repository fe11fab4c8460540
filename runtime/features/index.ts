import type { EntityContainer } from '../edm/entity-container.js';
import { registerOutside } from '../http/outside.js';
import { hasRowRules } from '../plan/row-filter.js';
import { registerRequestKind } from '../http/respond.js';

/** A part of the protocol that stands apart from the core. */
interface Feature {
  /** Whether a request to the model can need it. */
  readonly isUsed: (container: EntityContainer) => boolean;
  /** Loads its files, and adds it to the tables of the core. */
  readonly register: (container?: EntityContainer) => Promise<void>;
}

const isTracked = ({ entityTypes }: EntityContainer): boolean => Object.values(entityTypes).some(({ tracking }) => tracking !== undefined);

const hasShapes = ({ entityTypes, complexTypes = {}, operations }: EntityContainer): boolean =>
  operations !== undefined ||
  [...Object.values(entityTypes), ...Object.values(complexTypes)].some(
    ({ open, fields }) => open || Object.values(fields).some(({ type }) => type === 'Edm.Untyped' || type.startsWith('Edm.Geo')),
  );
const isPartitioned = ({ entityTypes }: EntityContainer): boolean =>
  Object.values(entityTypes).some(({ partitions }) => partitions !== undefined);

const hasStreams = ({ entityTypes }: EntityContainer): boolean => Object.values(entityTypes).some(({ streams }) => streams !== undefined);
const isWritten = ({ entityTypes }: EntityContainer): boolean =>
  Object.values(entityTypes).some(({ routes }) => routes.some(({ method }) => method !== 'GET'));
const hasRelations = (container: EntityContainer): boolean =>
  isWritten(container) && Object.values(container.entityTypes).some(({ navigation }) => Object.keys(navigation).length > 0);

// oxfmt-ignore
const features: readonly Feature[] = [
  { isUsed: hasRowRules, register: async () => (await import('./row-filters/row-filters.js')).registerRowFilters() },
  { isUsed: ({ filterFunctions }) => filterFunctions?.includes('matchespattern') !== false, register: async () => (await import('./patterns/patterns.js')).registerPatterns() },
  { isUsed: () => true, register: async () => (await import('./metadata-40/metadata-40.js')).registerMetadata40() },
  { isUsed: () => true, register: async () => (await import('./search/search.js')).registerSearch() },
  { isUsed: () => true, register: async () => (await import('./full-metadata/full-metadata.js')).registerFullMetadata() },
  { isUsed: hasShapes, register: async () => (await import('./geo/geo.js')).registerGeo() },
  { isUsed: hasStreams, register: async () => (await import('./media-streams/media-streams.js')).registerMediaStreams() },
  { isUsed: hasRelations, register: async () => (await import('./related-writes/related-writes.js')).registerRelatedWrites() },
  { isUsed: isWritten, register: async () => (await import('./set-updates/set-updates.js')).registerSetUpdates() },
  { isUsed: ({ operations }) => operations !== undefined, register: async () => (await import('./operations/operations.js')).registerOperations() },
  { isUsed: ({ unsupported }) => !unsupported?.includes('$crossjoin'), register: async () => (await import('./cross-set/cross-set.js')).registerCrossSet() },
  { isUsed: ({ unsupported }) => !unsupported?.includes('$batch'), register: async () => registerRequestKind((await import('./batch/answer-batch.js')).batchRequest) },
  { isUsed: isTracked, register: async (container) => (await import('./changes/changes.js')).registerChanges(container) },
  { isUsed: isPartitioned, register: async () => (await import('./partitions/partitions.js')).registerPartitions() },
  { isUsed: isTracked, register: async () => (await import('./webhooks/webhooks.js')).registerWebhooks() },
  { isUsed: () => true, register: async () => registerRequestKind((await import('./exports/exports.js')).exportRequest) },
  // No annotation says that a service has no $apply, no addresses of properties, or no repeatable requests.
  { isUsed: () => true, register: async () => (await import('./property-addresses/property-addresses.js')).registerPropertyAddresses() },
  { isUsed: () => true, register: async () => (await import('./apply/apply.js')).registerApply() },
  { isUsed: () => true, register: async () => registerRequestKind((await import('./repeatable-requests/repeatable.js')).repeatableRequest) },
  { isUsed: () => true, register: async () => registerOutside((await import('./openapi/openapi.js')).openApi) },
  { isUsed: () => true, register: async () => registerOutside((await import('./explain/explain.js')).explain) },
  // Settings say whether a service shows its pages. The explorer's data has paths below its page.
  { isUsed: () => true, register: async () => registerOutside((await import('./explorer/explorer.js')).explorer) },
  { isUsed: () => true, register: async () => (await import('./pages/pages.js')).registerPages() },
];

/** Loads the features that a model uses; without a model, all. */
export async function registerFeatures(container?: EntityContainer): Promise<void> {
  for (const { isUsed, register } of features) if (container === undefined || isUsed(container)) await register(container);
}
