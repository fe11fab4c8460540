import { isIP } from 'node:net';
import type { OutsideIssuer } from '../identity/outside-issuer.js';
import type { StaticToken } from '../identity/static-tokens.js';
import { issuerFaults, parseIssuers, parseStaticTokens } from '../identity/settings.js';
import { addressRule, serversOf } from '../database/address.js';
import type { CorsOrigins } from '../http/cors.js';
import type { RecordLimits } from '../http/service.js';

/** A setting: its variable, its rule, and its purpose. */
export interface Setting<Value> {
  /** The environment variable; the name in the file is the setting's own. */
  readonly variable: string;
  readonly fallback: Value;
  /** Parses a text; undefined when it breaks the rule. */
  readonly parse: (text: string) => Value | undefined;
  /** The rule for values, as the end of a sentence. */
  readonly rule: string;
  readonly about: string;
  /** The printed value; secrets are hidden. */
  show(value: Value): string;
  /** The parts of an invalid text that break the rule, as sentences. */
  readonly faultsIn?: (text: string) => readonly string[];
  /** Whether messages must not repeat the value. */
  readonly secret: boolean;
}

/** The values of a setting, without its name and purpose. */
type Kind<Value> = Pick<Setting<Value>, 'fallback' | 'rule' | 'parse'> & Partial<Setting<Value>>;

function row<Value>(kind: Kind<Value>, variable: string, about: string): Setting<Value> {
  return { show: (value) => String(value ?? ''), secret: false, ...kind, variable, about };
}

function text(variable: string, fallback: string, about: string): Setting<string> {
  return row({ fallback, rule: 'must be a string', parse: (value) => value }, variable, about);
}

function whole(variable: string, fallback: number, low: number, high: number, about: string): Setting<number> {
  const parse = (value: string): number | undefined =>
    /^\d{1,9}$/.test(value) && Number(value) >= low && Number(value) <= high ? Number(value) : undefined;
  return row({ fallback, rule: `must be a whole number from ${low} to ${high}`, parse }, variable, about);
}

// The first choice is the default.
function choice<const Choice extends string>(variable: string, choices: readonly [Choice, ...Choice[]], about: string): Setting<Choice> {
  const parse = (value: string): Choice | undefined => choices.find((each) => each === value);
  return row({ fallback: choices[0], rule: `must be ${choices.join(' or ')}`, parse }, variable, about);
}

function flag(variable: string, fallback: boolean, about: string): Setting<boolean> {
  return row({ fallback, rule: `must be ${fallback} or ${!fallback}`, parse: parseFlag }, variable, about);
}

function parseFlag(value: string): boolean | undefined {
  return /^(?:true|false)$/.test(value) ? value === 'true' : undefined;
}

// Parts between commas, all of which must be valid.
function parseItems<Item>(value: string, parse: (item: string) => Item | undefined): readonly Item[] | undefined {
  const items = value.split(',').flatMap((each) => parse(each.trim()) ?? []);
  return items.length === value.split(',').length ? items : undefined;
}

// Of several items, those that break the rule by their positions: an item may be secret.
function itemFaults(isItem: (item: string) => boolean): (value: string) => readonly string[] {
  return (value) => {
    const items = value.split(',');
    const wrong = items.flatMap((item, index) => (isItem(item.trim()) ? [] : [`Item ${index + 1} of ${items.length} breaks the rule.`]));
    return items.length > 1 ? wrong : [];
  };
}

function recordLimits(variable: string, fallback: number, about: string): Setting<RecordLimits> {
  return row<RecordLimits>(
    {
      fallback: { most: fallback },
      rule: 'must be a whole number from 1 to 999999999, which SCOPE=NUMBER may follow, each after a comma',
      parse: parseLimits,
      show: ({ most, ofScopes }) => [most, ...[...(ofScopes ?? [])].map(([scope, limit]) => `${scope}=${limit}`)].join(','),
    },
    variable,
    about,
  );
}

function parseLimits(value: string): RecordLimits | undefined {
  const [most = '', ...scopes] = value.split(',').map((each) => each.trim());
  const pairs = scopes.map((each) => /^([^\s=]+)=([1-9]\d{0,8})$/.exec(each));
  if (!/^[1-9]\d{0,8}$/.test(most) || pairs.includes(null)) return undefined;
  return { most: Number(most), ...(scopes.length > 0 && { ofScopes: new Map(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])])) }) };
}

const networks: Kind<readonly string[]> = {
  fallback: [],
  rule: 'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  parse: (value) => parseItems(value, (item) => (isNetwork(item) ? item : undefined)),
  faultsIn: itemFaults(isNetwork),
};

function isNetwork(item: string): boolean {
  const [address = '', bits, ...more] = item.split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  return isIP(address) > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest));
}

function seconds(variable: string, fallback: readonly number[], about: string): Setting<readonly number[]> {
  const rule = 'must be up to 20 numbers of seconds from 0.1 to 86400, separated by commas';
  return row({ fallback, rule, parse: parseSeconds, faultsIn: itemFaults(isSeconds) }, variable, about);
}

function parseSeconds(value: string): readonly number[] | undefined {
  const items = parseItems(value, (item) => (isSeconds(item) ? Number(item) : undefined));
  return items && items.length <= 20 ? items : undefined;
}

function isSeconds(item: string): boolean {
  return /^\d{1,5}(\.\d{1,3})?$/.test(item) && Number(item) >= 0.1 && Number(item) <= 86_400;
}

const url: Kind<string | undefined> = {
  fallback: undefined,
  rule: 'must be an http or https address without query or user, and without the /odata that links add',
  // Credentials in the URL would appear in every link.
  parse: (value) =>
    /^https?:\/\/(?!.*\/odata\/*$)[^\s?#@/][^\s?#@]*$/i.test(value) && URL.canParse(value) ? value.replace(/\/+$/, '') : undefined,
};

const origins: Kind<CorsOrigins> = {
  fallback: '*',
  rule: 'must be *, none or origins such as https://app.example',
  parse: (value) => {
    if (value === '*' || value === 'none') return value === '*' ? value : [];
    return parseItems(value, originOf);
  },
};

// As browsers send it: in lower case, without the port of the scheme.
function originOf(item: string): string | undefined {
  return /^https?:\/\/[^\s/?#@]+$/i.test(item) && URL.canParse(item) ? new URL(item).origin : undefined;
}

const database: Kind<string | undefined> = {
  fallback: undefined,
  rule: addressRule,
  parse: (value) => serversOf(value) && value,
  show: hidePassword,
  secret: true,
};

const databases: Kind<readonly string[]> = {
  fallback: [],
  rule: addressRule.replace('must have', 'must be addresses separated by commas, each of'),
  parse: (value) => {
    const items = parseItems(value, database.parse);
    // A standby that is named twice would count as two.
    return items && [...new Set(items)];
  },
  faultsIn: itemFaults((item) => serversOf(item) !== undefined),
  show: (value) => value.map(hidePassword).join(','),
  secret: true,
};

function hidePassword(value: string | undefined): string {
  return (value ?? '').replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:********@');
}

const secret: Kind<string | undefined> = {
  fallback: undefined,
  rule: 'must have at least 32 characters, 8 of them different',
  parse: (value) => (value.length >= 32 && new Set(value).size >= 8 ? value : undefined),
  show: (value) => (value === undefined ? '' : '********'),
  secret: true,
};

const issuers: Kind<readonly OutsideIssuer[]> = {
  fallback: [],
  rule: 'must be a JSON array of objects with issuer, audience, jwksUrl (https) and optionally algorithms (default RS256 and ES256)',
  parse: parseIssuers,
  faultsIn: issuerFaults,
  show: (value) => (value.length === 0 ? '' : JSON.stringify(value)),
};

const staticTokens: Kind<readonly StaticToken[]> = {
  fallback: [],
  rule: 'must have the form SHA256:SUBJECT:SCOPE SCOPE',
  parse: parseStaticTokens,
  show: (value) => value.map(({ subject, scopes }) => `********:${subject}:${scopes.join(' ')}`).join(','),
  secret: true,
};

// oxfmt-ignore
/** All settings, by their name in the file; the source of SETTINGS.md. */
export const settings = {
  host: text('HOST', '127.0.0.1', 'Address to listen on; `0.0.0.0` for all interfaces.'),
  port: whole('PORT', 4004, 0, 65_535, 'Port to listen on.'),
  publicUrl: row(url, 'GABLE_PUBLIC_URL', 'Base URL of every link, without `/odata`; set it behind a proxy. Default: the listening address.'),
  trustedProxies: row(networks, 'GABLE_TRUSTED_PROXIES', 'Comma-separated addresses or networks of proxies; `X-Forwarded-For` is accepted only from them.'),
  workers: whole('GABLE_WORKERS', 1, 1, 256, 'Number of processes of `gable serve`; they share only the database.'),
  databaseUrl: row(database, 'DATABASE_URL', 'PostgreSQL server; of several hosts, the one that accepts changes. Default: an embedded one in `directory`.'),
  migrateUrl: row(database, 'GABLE_MIGRATE_URL', 'PostgreSQL server for `gable migrate`, `gable seed` and the migrations of `gable start`, where `DATABASE_URL` is a pooler in transaction mode. Default: `DATABASE_URL`.'),
  replicas: row(databases, 'DATABASE_REPLICAS', 'Comma-separated standbys of `DATABASE_URL` that serve reads.'),
  replicaLag: whole('GABLE_REPLICA_LAG', 10_000, 100, 3_600_000, 'Milliseconds that a standby may be behind; until it has caught up, it serves no reads.'),
  replicaSticky: whole('GABLE_REPLICA_STICKY', 2_000, 0, 60_000, 'Milliseconds after a write for which the same token reads from the primary.'),
  readOnly: flag('GABLE_READ_ONLY', false, 'Whether the service only reads, so that a standby is a ready database.'),
  directory: text('GABLE_DIRECTORY', '.gable', 'Folder of the embedded database and of the generated secret.'),
  poolSize: whole('GABLE_POOL_SIZE', 10, 1, 100, 'Database connections per process.'),
  prepare: flag('GABLE_PREPARE', true, 'Whether to use named prepared statements; a pooler that does not support them is recognised at the start.'),
  maxRequests: whole('GABLE_MAX_REQUESTS', 256, 1, 100_000, 'Concurrent requests per process; further requests get 503.'),
  largePages: whole('GABLE_LARGE_PAGES', 5, 1, 100, 'Concurrent large pages per process. A pool of several connections keeps one for other requests, because a slow reader holds one.'),
  startTimeout: whole('GABLE_START_TIMEOUT', 30_000, 0, 600_000, 'Milliseconds that `gable serve` and `gable migrate` wait for the database to start.'),
  acquireTimeout: whole('GABLE_ACQUIRE_TIMEOUT', 2_000, 100, 60_000, 'Milliseconds that a request waits for a pooled connection.'),
  statementTimeout: whole('GABLE_STATEMENT_TIMEOUT', 5_000, 100, 600_000, 'Milliseconds that a statement may run; for a large page, the time between two rows.'),
  pageTimeout: whole('GABLE_PAGE_TIMEOUT', 120_000, 1_000, 3_600_000, 'Milliseconds within which a client must read a large page.'),
  readerTimeout: whole('GABLE_READER_TIMEOUT', 30_000, 100, 600_000, 'Milliseconds without progress after which a client that reads or sends a large page or media stream is disconnected.'),
  maxStream: whole('GABLE_MAX_STREAM', 104_857_600, 1, 999_999_999, 'Largest size of a media stream in bytes; `MaxLength` in the model can lower it. The upload must finish within `GABLE_REQUEST_TIMEOUT`.'),
  maxExport: recordLimits('GABLE_MAX_EXPORT', 1_000_000, 'Most records of an export as CSV or NDJSON; those of callers with a scope as in `10000,analyst=1000000`. Of several scopes the largest counts.'),
  handlerTimeout: whole('GABLE_HANDLER_TIMEOUT', 30_000, 100, 600_000, 'Milliseconds that the handler of an action or function may run.'),
  lockTimeout: whole('GABLE_LOCK_TIMEOUT', 2_000, 100, 600_000, 'Milliseconds that a statement waits for a lock.'),
  headersTimeout: whole('GABLE_HEADERS_TIMEOUT', 10_000, 100, 600_000, 'Milliseconds within which the headers of a request must arrive.'),
  requestTimeout: whole('GABLE_REQUEST_TIMEOUT', 30_000, 100, 600_000, 'Milliseconds within which a whole request must arrive.'),
  drainDelay: whole('GABLE_DRAIN_DELAY', 0, 0, 60_000, 'Milliseconds between SIGTERM, when `/health/ready` turns 503, and the end of listening, so that the load balancer can react.'),
  drainTimeout: whole('GABLE_DRAIN_TIMEOUT', 25_000, 0, 600_000, 'Milliseconds that running requests have to finish after SIGTERM. Then their connections are closed, and statements that still run are cancelled.'),
  requestsPerMinute: whole('GABLE_REQUESTS_PER_MINUTE', 0, 0, 1_000_000, 'Requests per minute and token subject, for each process or for all (`GABLE_SHARED_LIMITS`); 0 for no limit.'),
  sharedLimits: flag('GABLE_SHARED_LIMITS', false, 'Whether the processes of a database count requests per minute together, in its table `gable_limit`; while the database does not answer, each counts for itself.'),
  corsOrigins: row(origins, 'GABLE_CORS_ORIGINS', 'Comma-separated CORS origins; `*` for all, `none` for none.'),
  compression: flag('GABLE_COMPRESSION', false, 'Whether responses of 1 KiB and more are compressed (brotli, gzip); behind a proxy, let the proxy compress.'),
  logLevel: choice('GABLE_LOG_LEVEL', ['info', 'silent', 'error', 'warn', 'debug'], 'Lowest level that is logged, as JSON on standard error.'),
  logRequests: choice('GABLE_LOG_REQUESTS', ['failures', 'all', 'none'], 'Which requests are logged; `failures` are those with status 5xx and those that take over a second.'),
  metrics: flag('GABLE_METRICS', true, 'Whether `/metrics` serves Prometheus metrics of requests, the pool and the process.'),
  operationsPort: whole('GABLE_OPERATIONS_PORT', 0, 0, 65_535, 'Separate port for `/health/*` and `/metrics`, which then leave the public port; 0 for none.'),
  serverTiming: flag('GABLE_SERVER_TIMING', false, 'Whether responses list the time of each stage in `Server-Timing`; for development.'),
  traces: flag('GABLE_TRACES', false, 'Whether requests and their stages create OpenTelemetry spans; load an SDK with `node --import`.'),
  overTop: choice('GABLE_OVER_TOP', ['reject', 'clamp'], 'Whether a `$top` over the limit is rejected or lowered to the limit.'),
  publicMetadata: flag('GABLE_PUBLIC_METADATA', false, 'Whether `$metadata`, the service document and the whole of `/openapi.json` are served without a token.'),
  docs: choice('GABLE_DOCS', ['auto', 'true', 'false'], 'Whether `/docs` serves the documentation that `gable docs` has written to `dist/docs`, without a token; `auto`: only with `gable start` and `gable try`.'),
  explorer: choice('GABLE_EXPLORER', ['auto', 'true', 'false'], 'Whether `/explorer` serves the explorer; `auto`: only with `gable start` and `gable try`.'),
  explainScope: { ...text('GABLE_EXPLAIN_SCOPE', 'gable.admin', 'Scope whose tokens may see the SQL and PostgreSQL\'s plan of a read at `/explain`; `none` for no token.'), parse: (value: string) => (value === 'none' ? '' : value), show: (value: string) => value || 'none' },
  changesKept: whole('GABLE_CHANGES_KEPT', 7, 1, 3_650, 'Days for which deletions stay in the change log; delta links from before are 410.'),
  webhooks: flag('GABLE_WEBHOOKS', true, 'Whether this process delivers webhooks; at least one process of a database must, and all may.'),
  webhookNetworks: row(networks, 'GABLE_WEBHOOK_NETWORKS', 'Comma-separated addresses or networks that webhooks may reach although they are not public, such as that of a consumer in the same data centre.'),
  webhookTimeout: whole('GABLE_WEBHOOK_TIMEOUT', 15_000, 100, 60_000, 'Milliseconds that the consumer of a webhook has to answer.'),
  webhookTries: seconds('GABLE_WEBHOOK_TRIES', [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400], 'Comma-separated seconds between the tries of a webhook\'s delivery, up to a tenth more or less; a hook stops after the last try.'),
  tokenIssuer: text('GABLE_TOKEN_ISSUER', 'gable', '`iss` of the service\'s own tokens.'),
  tokenAudience: text('GABLE_TOKEN_AUDIENCE', 'gable', '`aud` of the service\'s own tokens.'),
  issuers: row(issuers, 'GABLE_ISSUERS', 'External issuers whose JWTs are accepted.'),
  basic: flag('GABLE_BASIC', false, 'Whether clients may send their name and secret from `gable client add` by Basic, as Excel and Power BI do: over https of a trusted proxy (`GABLE_TRUSTED_PROXIES`, `X-Forwarded-Proto`), or from this machine, unless a trusted proxy runs on it.'),
  staticTokens: row(staticTokens, 'GABLE_STATIC_TOKENS', 'Comma-separated hashes of long-lived tokens, as printed by `gable token --static`.'),
  secret: row(secret, 'GABLE_SECRET', 'Signs the service\'s own tokens and encrypts page links. Default: a secret generated in `directory`.'),
} as const satisfies { readonly [name: string]: Setting<unknown> };

/** The values of all settings. */
export type SettingValues = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};
