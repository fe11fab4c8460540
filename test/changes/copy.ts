/** A copy of the result of a query, kept by delta links alone. */
export interface Copy {
  readonly records: () => ReadonlyMap<string, string>;
  /** Follows the link; returns the keys of all entries. */
  readonly follow: () => Promise<readonly string[]>;
}

type Entry = { readonly [member: string]: unknown };

/** A page of a collection or of its changes. */
export interface Page {
  readonly value: readonly Entry[];
  readonly '@odata.nextLink'?: string;
  readonly '@odata.deltaLink'?: string;
}

/** Reads a query with `track-changes`; `keyOf` gives the key of an entry, of a removed one too. */
export async function copyOf(url: string, token: string, keyOf: (entry: Entry) => string, pageSize: number): Promise<Copy> {
  const known = new Map<string, string>();
  let link = url;
  const read = async (): Promise<readonly string[]> => {
    const entries: string[] = [];
    for (let next: string | undefined = link; next !== undefined;) {
      const page: Page = await pageAt(next, token, `track-changes,maxpagesize=${pageSize}`);
      for (const entry of page.value) {
        entries.push(keyOf(entry));
        if ('@odata.removed' in entry) known.delete(keyOf(entry));
        else known.set(keyOf(entry), JSON.stringify(entry));
      }
      next = page['@odata.nextLink'];
      link = page['@odata.deltaLink'] ?? link;
      if (next === undefined && page['@odata.deltaLink'] === undefined) throw new Error(`${url} has no link to later changes.`);
    }
    return entries;
  };
  await read();
  return { records: () => known, follow: read };
}

/** Reads a query anew. */
export async function freshly(url: string, token: string, keyOf: (entry: Entry) => string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (let next: string | undefined = url; next !== undefined;) {
    const page: Page = await pageAt(next, token, 'maxpagesize=1000');
    for (const entry of page.value) found.set(keyOf(entry), JSON.stringify(entry));
    next = page['@odata.nextLink'];
  }
  return found;
}

/** Reads a page with a preference. */
export async function pageAt(url: string, token: string, prefer: string): Promise<Page> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}`, Prefer: prefer } });
  if (!response.ok) throw new Error(`${url} is ${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
}
