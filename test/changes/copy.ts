/** A copy of the result of a query, kept by delta links alone. */
export interface Copy {
  readonly records: () => ReadonlyMap<string, string>;
  /** Follows the link; returns the keys of all entries. */
  readonly follow: () => Promise<readonly string[]>;
}

/** A record, or a removed one, as a page has it. */
export type Entry = { readonly [member: string]: unknown };

/** A page of a collection or of its changes. */
export interface Page {
  readonly value: readonly Entry[];
  readonly '@odata.nextLink'?: string;
  readonly '@odata.deltaLink'?: string;
}

/** Gives the key of an entry, of a removed one too. */
type KeyOf = (entry: Entry) => string;

/** Reads a query with `track-changes`; undefined where the service refuses the query, or declines to track it. */
export async function copyOf(url: string, token: string, keyOf: KeyOf, pageSize: number): Promise<Copy | undefined> {
  const known = new Map<string, string>();
  let link = url;
  const prefer = `track-changes,maxpagesize=${pageSize}`;
  const read = async (): Promise<readonly string[]> => {
    const entries: string[] = [];
    for (let next: string | undefined = link; next !== undefined;) {
      const page: Page = await pageAt(next, token, prefer);
      for (const entry of page.value) {
        entries.push(keyOf(entry));
        if ('@odata.removed' in entry) known.delete(keyOf(entry));
        else known.set(keyOf(entry), textOf(entry));
      }
      next = page['@odata.nextLink'];
      link = page['@odata.deltaLink'] ?? link;
      if (next === undefined && page['@odata.deltaLink'] === undefined) throw new Error(`${url} has no link to later changes.`);
    }
    return entries;
  };
  const first = await ask(url, token, prefer);
  if (first.headers.get('preference-applied')?.includes('track-changes') !== true) return undefined;
  await read();
  return { records: () => known, follow: read };
}

/** Reads a query anew; undefined where the service refuses it. */
export async function freshly(url: string, token: string, keyOf: KeyOf): Promise<ReadonlyMap<string, string> | undefined> {
  const found = new Map<string, string>();
  for (let next: string | undefined = url; next !== undefined;) {
    const response: Response = await ask(next, token, 'maxpagesize=1000');
    if (response.status >= 400 && response.status < 500) return undefined;
    const page: Page = await pageOf(response, next);
    for (const entry of page.value) found.set(keyOf(entry), textOf(entry));
    next = page['@odata.nextLink'];
  }
  return found;
}

/** Reads a page with a preference. */
export async function pageAt(url: string, token: string, prefer: string): Promise<Page> {
  return pageOf(await ask(url, token, prefer), url);
}

function ask(url: string, token: string, prefer: string): Promise<Response> {
  return fetch(url, { headers: { Authorization: `Bearer ${token}`, Prefer: prefer } });
}

async function pageOf(response: Response, url: string): Promise<Page> {
  if (!response.ok) throw new Error(`${url} is ${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
}

// Tokens are sealed with random numbers.
function textOf(entry: Entry): string {
  return JSON.stringify(entry).replaceAll(/(\$skiptoken=)[\w-]+/g, '$1');
}
