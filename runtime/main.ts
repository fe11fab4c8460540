import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from 'node:http';
import type { ConnectionPool } from './database/pool.js';
import { type AppSettings, createApp, createAppServer, mountService, rootPath } from './app.js';
import { ConfigError, type Config } from './config/config.js';
import { defineModels } from './database/define-models.js';
import { clientErrorHandler } from './http/client-error.js';
import { createAuthenticator } from './identity/authenticate.js';
import type { FindClient } from './identity/basic.js';
import { findClient as lookUp } from './identity/client-store.js';
import { type Log, startBackgrounds } from './http/background.js';
import { createGate, createUploadPlaces, type Gate } from './http/gate.js';
import { createPlanCache } from './http/read/plan-cache.js';
import { servedDocument, type ServedDocument } from './http/document.js';
import { type Outside, outsidesOf, type Site } from './http/outside.js';
import type { MetadataDocuments, Observer, Service } from './http/service.js';
import { createTokenEndpoint } from './http/token-endpoint.js';
import { errors } from './errors/catalogue.js';
import { ODataError } from './errors/odata-error.js';
import { registerFeatures } from './features/index.js';
import type { ReplicaState } from './features/replicas/pools.js';
import type { SharedCounts } from './features/shared-limits/shared-counts.js';
import type { ReplicaReads } from './features/replicas/replica-reads.js';
import { migrationsFolder, readMigrationTexts, type ServedModel, vocabularyNames } from './config/served-model.js';
import { isOwnAddress, listenBoth, listeningUrl, serverOptions } from './listen.js';
import { listing } from './extensions/listing/listing.js';
import { createLogger, type Logger } from './tools/operation/logger.js';
import type { GaugeSource } from './tools/operation/metrics.js';
import { createOperation, type DrainTimes, type Operation } from './tools/operation/operation.js';
import { createOperationsServer } from './tools/operation/health.js';
import { createTokenSeal } from './paging/skiptoken.js';
import { anyone } from './database/cancel.js';
import type { Caller } from './plan/caller.js';
import { planHooks } from './plan/hooks.js';
import { hasRowRules } from './plan/row-filter.js';
import { createPooledStore } from './store/pooled-store.js';

/** A running service. */
export interface RunningService {
  readonly server: Server;
  /** The base address without `/odata`. */
  readonly url: string;
  /** The address of its pages, if it serves some. */
  readonly pages?: string;
  /** Stops it gracefully: running requests are answered within the drain times. */
  readonly stop: (times?: DrainTimes) => Promise<void>;
}

interface ServeOptions {
  /** The model; by default the package's own. */
  readonly model?: ServedModel;
  /** The caller of requests without a token. It is set by code only, and requires a loopback address. */
  readonly anonymous?: Caller;
  /** Whether pages are served where their setting is `auto`. */
  readonly pages?: boolean;
}

/** The composition root: starts a service from configuration, database, container and extensions. */
export async function serve(
  config: Config,
  pool: ConnectionPool,
  { model = listing, anonymous, pages = false }: ServeOptions = {},
): Promise<RunningService> {
  defineModels(pool, model.container);
  await registerFeatures(model.container);
  requireServable(config, model, anonymous);
  const app = createApp();
  const server = createAppServer(app, serverOptions(config));
  const logger = createLogger(config.logLevel);
  const migrations = migrationsFolder(model.generated);
  const replicas = await openReplicas(config, pool, { model, logger });
  const shown = { container: model.container, logger, rootPath, migrations, replicas: replicas?.states };
  const operation = createOperation(config, pool, shown);
  replicaGauges(replicas).forEach(operation.addGauge);
  server.on('clientError', clientErrorHandler(operation.observer));
  const operations = config.operationsPort > 0 ? createOperationsServer(operation.answer) : undefined;
  const limit = await limitOf(config, pool, { operation, logger });
  await listenBoth(server, operations, config);
  const url = config.publicUrl ?? listeningUrl(server, config);
  const onThisPort = operations === undefined ? { operations: operation.answer } : {};
  const site = siteOf(config, model, pages);
  const outsides = outsidesOf(site);
  const service = createService(config, pool, { ...operation.observer, url, logger, model, anonymous, outsides });
  const tokens = createTokenEndpoint({ ...service, token: config.token });
  const around = replicas && { around: replicas.around };
  mountService(app, service, { ...config, observer: operation.observer, outsides, ...around, ...limit, tokens, ...onThisPort });
  const home = outsides.find((outside) => outside.home !== undefined)?.home;
  const log: Log = (level, data, message) => logger[level](data, message);
  const work = startBackgrounds({ ...operation, site, service, log });
  const stop = async (times = noDelay): Promise<void> => {
    const ended = Promise.all([operation.drain(server, times), work.stop(times.drainTimeout)]);
    await ended.finally(() => Promise.all([operations?.close(), replicas?.close()]));
  };
  return { server, url, ...(home && { pages: `${url}${home}` }), stop };
}

function replicaGauges(replicas: ReplicaReads | undefined): readonly GaugeSource[] {
  if (replicas === undefined) return [];
  const { states } = replicas;
  const each = (value: (state: ReplicaState) => number) => () =>
    states().map((state) => ({ labels: { replica: new URL(state.url).host }, value: value(state) }));
  return [
    {
      name: 'gable_replica_serving',
      help: 'Whether a replica serves reads: 1 or 0',
      labels: ['replica'],
      read: each(({ serving }) => Number(serving)),
    },
    {
      name: 'gable_replica_lag_seconds',
      help: 'Age of what a replica has not replayed yet',
      labels: ['replica'],
      read: each(({ lag }) => lag / 1000),
    },
  ];
}

async function openReplicas(
  config: Config,
  primary: ConnectionPool,
  { model, logger }: { readonly model: ServedModel; readonly logger: Logger },
): Promise<ReplicaReads | undefined> {
  if (config.replicas.length === 0) return undefined;
  const { readReplicas } = await import('./features/replicas/replica-reads.js');
  const tables = Object.values(model.container.entityTypes).map(({ table }) => table);
  return readReplicas(primary, { ...config, tables, report: (sentence) => logger.warn(sentence) });
}

/** The limit of requests; the package that counts is loaded only where there is one. */
async function limitOf(config: Config, pool: ConnectionPool, counting: Counting): Promise<Pick<AppSettings, 'limit'>> {
  if (config.requestsPerMinute === 0) return {};
  const { limitRate, limitWindow } = await import('./http/limit-rate.js');
  const sharedCounts = config.sharedLimits ? await shareLimits(pool, limitWindow, counting) : undefined;
  return { limit: (surroundings) => limitRate({ ...config, rootPath, sharedCounts }, surroundings) };
}

interface Counting {
  readonly operation: Operation;
  readonly logger: Logger;
}

async function shareLimits(
  pool: ConnectionPool,
  limitWindow: number,
  { operation, logger }: Counting,
): Promise<SharedCounts & { readonly failed: (failure: unknown) => void }> {
  const { failureReport, sharedCounts } = await import('./features/shared-limits/shared-counts.js');
  const count = operation.meters.counter(
    'gable_unshared_limits_total',
    'Requests counted by this process alone, for want of the database',
    [],
  );
  const report = failureReport((level, data, message) => logger[level](data, message));
  const failed = (failure: unknown): void => {
    count({});
    report(failure);
  };
  return { ...sharedCounts(pool, limitWindow), failed };
}

// An example that is run as it stands, without the variable of its token, sends an empty one.
function isTokenless(sent: string | undefined): boolean {
  return sent === undefined || /^Bearer\s*$/i.test(sent);
}

function requireServable({ host }: Config, { container }: ServedModel, anonymous: Caller | undefined): void {
  if (anonymous !== undefined && !isOwnAddress(host))
    throw new ConfigError(`Without tokens, HOST must be 127.0.0.1, ::1 or localhost, not '${host}'.`);
  const misruled = hasRowRules(container) ? planHooks.get('rowFilters').faults(container) : [];
  if (misruled.length > 0) throw new ConfigError(misruled.join('\n'));
}

const noDelay: DrainTimes = { drainDelay: 0, drainTimeout: 25_000 };

// With two connections or more, one is reserved for small requests.
function largePagesGate({ largePages, poolSize, acquireTimeout }: Config): Gate {
  const limit = Math.min(largePages, Math.max(1, poolSize - 1));
  return createGate(limit, acquireTimeout, () => errors.largePagesBusy(limit));
}

interface ServiceParts extends Pick<Observer, 'isDraining'> {
  readonly url: string;
  readonly logger: Logger;
  readonly model: ServedModel;
  readonly anonymous: Caller | undefined;
  readonly outsides: readonly Outside[];
}

function createService(config: Config, pool: ConnectionPool, parts: ServiceParts): Service {
  const { url, logger, model, anonymous, isDraining } = parts;
  const helpFor = parts.outsides.find((outside) => outside.helpFor !== undefined)?.helpFor;
  const store = createPooledStore(pool);
  const findClient: FindClient = ({ id, secret }) => store.read((connection) => lookUp(id, secret, connection), anyone);
  const authenticate = createAuthenticator(config.token, { ...config, ...(config.basic && { findClient }) });
  return {
    container: model.container,
    extensions: model.extensions,
    ...(model.operations && { operations: model.operations }),
    store,
    metadata: readDocuments(model.generated),
    migrations: readMigrationTexts(model),
    root: `${url}${rootPath}`,
    ...(helpFor && { helpFor: (code) => `${url}${helpFor(code)}` }),
    settings: config.plan,
    readOnly: config.readOnly,
    seal: createTokenSeal(config.token.secret),
    plans: createPlanCache(),
    authenticate: anonymous === undefined ? authenticate : async (sent) => (isTokenless(sent) ? anonymous : authenticate(sent)),
    publicMetadata: config.publicMetadata || anonymous !== undefined,
    maxStream: config.maxStream,
    maxExport: config.maxExport,
    // Half of the connections is reserved for short requests.
    uploads: createUploadPlaces(Math.max(1, Math.floor(config.poolSize / 2))),
    readerTimeout: config.readerTimeout,
    handlerTimeout: config.handlerTimeout,
    largePages: largePagesGate(config),
    isDraining,
    logFailure: (failure, requestId) =>
      logger.error({ requestId, failure }, failure instanceof ODataError ? 'known failure' : 'unexpected failure'),
  };
}

function siteOf(config: Config, { built }: ServedModel, automatic: boolean): Site {
  const { webhooks: delivers, webhookNetworks: networks, webhookTimeout: timeout, webhookTries: tries, token } = config;
  const webhooks = { secret: token.secret, delivers, networks, timeout, tries };
  return {
    rootPath,
    built,
    pages: shownPages(config, automatic),
    basic: config.basic,
    explainScope: config.explainScope,
    changesKept: config.changesKept,
    webhooks,
  };
}

function shownPages(config: Config, automatic: boolean): ReadonlySet<string> {
  const pages = ['docs', 'explorer'] as const;
  return new Set(pages.filter((name) => config[name] === 'true' || (config[name] === 'auto' && automatic)));
}

function readDocuments(generated: string): MetadataDocuments {
  const read = (name: string): ServedDocument => servedDocument(readFileSync(join(generated, name), 'utf8'));
  return {
    xml: read('metadata.xml'),
    json: read('metadata.json'),
    vocabularies: new Map(vocabularyNames(generated).map((name) => [name, read(name)])),
  };
}
