import type { Config } from '../../config/config.js';
import type { ServedModel } from '../../config/served-model.js';
import { type EntityContainer, type EntityType, own } from '../../edm/index.js';
import { introduceListing, type TryRequest } from '../../extensions/listing/introduce-listing.js';
import { listing } from '../../extensions/listing/listing.js';
import { issueCode } from '../../features/explorer/explorer.js';
import { issueToken } from '../../identity/authenticate.js';
import { expiryOf } from '../../identity/token.js';
import { scopesOf } from '../../plan/caller.js';
import type { Database } from '../embedded/open.js';

interface Introduction {
  readonly url: string;
  /** The address of the pages, if the service has some. */
  readonly pages?: string | undefined;
  readonly token: string;
  /** The time when the token expires, in ISO 8601. */
  readonly expires: string;
  readonly requests: readonly TryRequest[];
  /** The explorer, where it is served; the link signs in once. */
  readonly explorer?: string;
}

const lifetime = 24 * 3600;

/** Issues a token with all scopes, and collects sample requests; `url` is the service root. */
export async function introduce(url: string, config: Config, model: ServedModel, database: Database): Promise<Introduction> {
  const { requests, ...claims } = model === listing ? await introduceListing(url, database.pool) : introduceModel(url, model);
  const scopes = [...claims.scopes, ...(config.explainScope === '' ? [] : [config.explainScope])];
  const token = await issueToken({ subject: 'developer', lifetime, ...claims, scopes }, config.token);
  const explorer = config.explorer === 'false' ? {} : { explorer: new URL(`explorer/#code=${issueCode(token)}`, url).href };
  return { url, token, expires: expiryOf(token), requests, ...explorer };
}

function introduceModel(url: string, { container }: ServedModel) {
  return { scopes: [...scopesOf(container)], requests: requestsToTry(container, url) };
}

/** Prints an introduction as text. */
export function printIntroduction({ url, pages, token, requests, explorer }: Introduction): string {
  const link = explorer === undefined ? '' : `\nThe explorer, signed in when it is opened for the first time:\n\n  ${explorer}\n`;
  return `
Gable serves ${url}
${pagesLine(pages)}${link}
Token for the next 24 hours:

  TOKEN=${token}

Paste the line above, then try:

${requests.map((request) => `  curl -s -H "Authorization: Bearer $TOKEN" ${printRequest(request)}\n`).join('\n')}
Stop with Ctrl+C.
`;
}

/** The line about pages, for a browser. */
export function pagesLine(pages: string | undefined): string {
  return pages === undefined ? '' : `Open ${pages} in a browser for the documentation.\n`;
}

function printRequest({ url, body }: TryRequest): string {
  return body === undefined ? `'${url}'` : `-H 'Content-Type: application/json' '${url}' -d '${JSON.stringify(body)}'`;
}

/** Sample requests for a model: its metadata, its first sets, an expansion. */
export function requestsToTry({ entityTypes, entitySets, singletons }: EntityContainer, root: string): readonly TryRequest[] {
  const sets = Object.entries(entitySets).map(([set, name]) => ({ set, type: own(entityTypes, name) }));
  const expanded = sets.flatMap(({ set, type }) => {
    const [navigation] = Object.entries(type?.navigation ?? {}).find(([, { expandable }]) => expandable !== false) ?? [];
    if (navigation === undefined) return [];
    return `${root}/${encodeURIComponent(set)}?${requiredFilter(type)}$expand=${encodeURIComponent(navigation)}&$top=2`;
  });
  const urls = [
    `${root}/$metadata`,
    ...sets.slice(0, 3).map(({ set, type }) => `${root}/${encodeURIComponent(set)}?${requiredFilter(type)}$top=3&$count=true`),
    ...expanded.slice(0, 1),
    ...Object.keys(singletons ?? {})
      .slice(0, sets.length === 0 ? 3 : 0)
      .map((name) => `${root}/${encodeURIComponent(name)}`),
  ];
  return urls.map((url) => ({ method: 'GET', url }));
}

/** The `$filter` that an entity set requires, which every entity satisfies. */
export function requiredFilter(type: EntityType | undefined): string {
  if (type?.requiresFilter === undefined) return '';
  const names = type.requiresFilter.length === 0 ? type.key.slice(0, 1) : type.requiresFilter;
  return `$filter=${encodeURIComponent(names.map((name) => `(${name} ne null or ${name} eq null)`).join(' and '))}&`;
}
