import { isIP } from 'node:net';
import type { OutsideIssuer } from './identity/outside-issuer.js';
import type { StaticToken } from './identity/static-tokens.js';
import { parseIssuers, parseStaticTokens } from './identity/settings.js';
import { addressParameters } from './database/connection-target.js';
import type { CorsOrigins } from './http/cors.js';

/** One thing that can be set from outside: where it stands, what it may be, and what it is for. */
export interface Setting<Value> {
  /** The environment variable; the name in the file is the setting's own. */
  readonly variable: string;
  readonly fallback: Value;
  /** The value of a text, or undefined when it breaks the rule. */
  readonly parse: (text: string) => Value | undefined;
  /** What a value must be, as the end of a sentence. */
  readonly rule: string;
  readonly about: string;
  /** How it is shown; what is secret in it never is. */
  show(value: Value): string;
  /** A value that breaks the rule is repeated in the message, unless it is secret. */
  readonly secret: boolean;
}

// prettier-ignore
/** Every setting, by its name in the file; SETTINGS.md is made of this table. */
export const settings = {
  host: text('HOST', '127.0.0.1', 'Address to listen on; `0.0.0.0` for all.'),
  port: whole('PORT', 4004, 0, 65_535, 'Port to listen on.'),
  publicUrl: url('GABLE_PUBLIC_URL', 'Base of every link, without `/odata`, as clients see it; set it behind a proxy. Without it, the address listened on.'),
  trustedProxies: list('GABLE_TRUSTED_PROXIES', 'Addresses or networks of proxies, separated by commas; only their `X-Forwarded-For` is believed.'),
  workers: whole('GABLE_WORKERS', 1, 1, 256, 'Processes of `gable serve`, which share nothing but the database.'),
  databaseUrl: databaseAddress('DATABASE_URL', 'PostgreSQL server; without it an embedded one runs in `directory`.'),
  directory: text('GABLE_DIRECTORY', '.gable', 'Where the embedded database and the generated secret live.'),
  poolSize: whole('GABLE_POOL_SIZE', 10, 1, 100, 'Connections to the database, per process.'),
  prepare: choice('GABLE_PREPARE', ['true', 'false'], 'Whether statements are prepared by name; `false` behind a pooler that cannot have that.'),
  maxRequests: whole('GABLE_MAX_REQUESTS', 256, 1, 100_000, 'Requests that may be under way at the same time, in each process; more are answered 503 at once.'),
  largePages: whole('GABLE_LARGE_PAGES', 5, 1, 100, 'Large pages that may be read at the same time, in each process, and never all connections of the pool: a slow reader keeps one.'),
  startTimeout: whole('GABLE_START_TIMEOUT', 30_000, 0, 600_000, 'Milliseconds that `gable serve` and `gable migrate` wait for a database that is not up yet.'),
  acquireTimeout: whole('GABLE_ACQUIRE_TIMEOUT', 2_000, 1, 60_000, 'Milliseconds that a request waits for a connection of the pool.'),
  statementTimeout: whole('GABLE_STATEMENT_TIMEOUT', 5_000, 1, 600_000, 'Milliseconds that a statement may take, or one that reads a large page may be without a row.'),
  pageTimeout: whole('GABLE_PAGE_TIMEOUT', 120_000, 1_000, 3_600_000, 'Milliseconds in which a client must have read a large page.'),
  readerTimeout: whole('GABLE_READER_TIMEOUT', 30_000, 100, 600_000, 'Milliseconds for which a client may take nothing of a large page or media stream, or send nothing of one, before it is cut off.'),
  maxStream: whole('GABLE_MAX_STREAM', 104_857_600, 1, 999_999_999, 'Bytes that a media stream may have, unless the model says less (`MaxLength`); they have to come within `GABLE_REQUEST_TIMEOUT`.'),
  handlerTimeout: whole('GABLE_HANDLER_TIMEOUT', 30_000, 1, 600_000, 'Milliseconds that the handler of an action or function may take.'),
  lockTimeout: whole('GABLE_LOCK_TIMEOUT', 2_000, 1, 600_000, 'Milliseconds that a statement waits for a lock.'),
  headersTimeout: whole('GABLE_HEADERS_TIMEOUT', 10_000, 100, 600_000, 'Milliseconds in which the headers of a request must have come.'),
  requestTimeout: whole('GABLE_REQUEST_TIMEOUT', 30_000, 100, 600_000, 'Milliseconds in which a whole request must have come.'),
  drainDelay: whole('GABLE_DRAIN_DELAY', 0, 0, 60_000, 'Milliseconds between SIGTERM, when `/health/ready` turns 503, and the end of listening; give the load balancer time to notice.'),
  drainTimeout: whole('GABLE_DRAIN_TIMEOUT', 25_000, 0, 600_000, 'Milliseconds that requests under way have to end after SIGTERM.'),
  requestsPerMinute: whole('GABLE_REQUESTS_PER_MINUTE', 0, 0, 1_000_000, 'Requests that one token subject may make in a minute, in each process; 0 for any number.'),
  corsOrigins: origins('GABLE_CORS_ORIGINS', 'Origins whose pages may read answers, separated by commas; `*` for all, `none` for none.'),
  compression: choice('GABLE_COMPRESSION', ['false', 'true'], 'Whether answers of 1 KiB and more are compressed (brotli, gzip); leave it to the proxy where there is one.'),
  logLevel: choice('GABLE_LOG_LEVEL', ['info', 'silent', 'error', 'warn', 'debug'], 'From which level on lines are logged, as JSON on the standard error.'),
  logRequests: choice('GABLE_LOG_REQUESTS', ['failures', 'all', 'none'], 'Which requests have a line in the log; `failures` are those answered 5xx and those over a second.'),
  metrics: choice('GABLE_METRICS', ['true', 'false'], 'Whether `/metrics` tells Prometheus of requests, the pool and the process.'),
  operationsPort: whole('GABLE_OPERATIONS_PORT', 0, 0, 65_535, 'A port of its own for `/health/*` and `/metrics`, which then are not on the public one; 0 for none.'),
  serverTiming: choice('GABLE_SERVER_TIMING', ['false', 'true'], 'Whether answers say in `Server-Timing` how long each stage took; for development.'),
  traces: choice('GABLE_TRACES', ['false', 'true'], 'Whether requests and their stages become OpenTelemetry spans; load an SDK with `node --import`.'),
  overTop: choice('GABLE_OVER_TOP', ['reject', 'clamp'], 'What becomes of a `$top` over the limit.'),
  topMeaning: choice('GABLE_TOP_MEANING', ['pageSize', 'total'], 'Whether `$top` is the size of a page or the number of records in all.'),
  publicMetadata: choice('GABLE_PUBLIC_METADATA', ['false', 'true'], 'Whether `$metadata` and the service document need no token.'),
  tokenIssuer: text('GABLE_TOKEN_ISSUER', 'gable', '`iss` of the service\'s own tokens.'),
  tokenAudience: text('GABLE_TOKEN_AUDIENCE', 'gable', '`aud` of the service\'s own tokens.'),
  issuers: issuers('GABLE_ISSUERS', 'Outside issuers whose JWTs are accepted.'),
  staticTokens: staticTokens('GABLE_STATIC_TOKENS', 'Long-lived tokens by their hashes, as `gable token --static` prints them, separated by commas.'),
  secret: secret('GABLE_SECRET', 'Signs the service\'s own tokens and seals page links; without it one is made in `directory`.'),
} as const satisfies { readonly [name: string]: Setting<unknown> };

/** The values of all settings. */
export type SettingValues = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

function setting<Value>(row: Omit<Setting<Value>, 'show' | 'secret'> & Partial<Setting<Value>>): Setting<Value> {
  return { show: (value) => String(value ?? ''), secret: false, ...row };
}

function text(variable: string, fallback: string, about: string): Setting<string> {
  return setting({ variable, fallback, about, rule: 'must be a text', parse: (value) => value });
}

function whole(variable: string, fallback: number, low: number, high: number, about: string): Setting<number> {
  const parse = (value: string): number | undefined =>
    /^\d{1,9}$/.test(value) && Number(value) >= low && Number(value) <= high ? Number(value) : undefined;
  return setting({ variable, fallback, about, rule: `must be a whole number from ${low} to ${high}`, parse });
}

// The first choice is the one without a value.
function choice<const Choice extends string>(variable: string, choices: readonly [Choice, ...Choice[]], about: string): Setting<Choice> {
  const parse = (value: string): Choice | undefined => choices.find((each) => each === value);
  return setting({ variable, fallback: choices[0], about, rule: `must be ${choices.join(' or ')}`, parse });
}

function list(variable: string, about: string): Setting<readonly string[]> {
  const rule = 'must be addresses or networks such as 10.0.0.0/8, separated by commas';
  return setting<readonly string[]>({ variable, fallback: [], about, rule, parse: parseNetworks, show: joined });
}

function parseNetworks(value: string): readonly string[] | undefined {
  const items = value.split(',').map((each) => each.trim());
  return items.every(isNetwork) ? items : undefined;
}

function isNetwork(item: string): boolean {
  const [address = '', bits, ...more] = item.split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  return isIP(address) > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest));
}

function joined(value: readonly string[]): string {
  return value.join(',');
}

function url(variable: string, about: string): Setting<string | undefined> {
  return setting<string | undefined>({
    variable,
    fallback: undefined,
    about,
    rule: 'must be an http or https address without query or user',
    parse: parseUrl,
  });
}

function parseUrl(value: string): string | undefined {
  // A user would stand in every link.
  return /^https?:\/\/[^\s?#@/][^\s?#@]*$/.test(value) && URL.canParse(value) ? value.replace(/\/+$/, '') : undefined;
}

function origins(variable: string, about: string): Setting<CorsOrigins> {
  return setting<CorsOrigins>({
    variable,
    fallback: '*',
    about,
    rule: 'must be *, none or origins such as https://app.example',
    parse: parseOrigins,
  });
}

function parseOrigins(value: string): CorsOrigins | undefined {
  if (value === '*') return value;
  const listed = value === 'none' ? [] : value.split(',').map((origin) => origin.trim());
  return listed.every((origin) => /^https?:\/\/[^\s/?#]+$/.test(origin)) ? listed : undefined;
}

function databaseAddress(variable: string, about: string): Setting<string | undefined> {
  return setting<string | undefined>({
    variable,
    fallback: undefined,
    about,
    rule: `must be of the form postgres://user:password@host:5432/database, with what is special percent-encoded and no parameters but ${addressParameters.join(', ')}`,
    parse: parseDatabase,
    show: showDatabase,
    secret: true,
  });
}

function parseDatabase(value: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value)) return undefined;
  return [...new URL(value).searchParams.keys()].every((name) => addressParameters.includes(name)) ? value : undefined;
}

function showDatabase(value: string | undefined): string {
  return (value ?? '').replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:********@');
}

function secret(variable: string, about: string): Setting<string | undefined> {
  return setting<string | undefined>({
    variable,
    fallback: undefined,
    about,
    rule: 'must have at least 32 characters, 8 of them different',
    parse: parseSecret,
    show: mask,
    secret: true,
  });
}

function issuers(variable: string, about: string): Setting<readonly OutsideIssuer[]> {
  const rule = 'must be a JSON array of objects with issuer, audience, jwksUrl (https) and, unless it is RS256 and ES256, algorithms';
  return setting<readonly OutsideIssuer[]>({ variable, fallback: [], about, rule, parse: parseIssuers, show: showIssuers });
}

function showIssuers(value: readonly OutsideIssuer[]): string {
  return value.length === 0 ? '' : JSON.stringify(value);
}

function staticTokens(variable: string, about: string): Setting<readonly StaticToken[]> {
  const rule = 'must be of the form SHA256:SUBJECT:SCOPE SCOPE';
  return setting<readonly StaticToken[]>({
    variable,
    fallback: [],
    about,
    rule,
    parse: parseStaticTokens,
    show: showStaticTokens,
    secret: true,
  });
}

function showStaticTokens(value: readonly StaticToken[]): string {
  return value.map(({ subject, scopes }) => `********:${subject}:${scopes.join(' ')}`).join(',');
}

function parseSecret(value: string): string | undefined {
  return value.length >= 32 && new Set(value).size >= 8 ? value : undefined;
}

function mask(value: string | undefined): string {
  return value === undefined ? '' : '********';
}
