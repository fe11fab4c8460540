import type { Entity } from './evaluate.js';
import { isNum, type Value } from './values.js';

/** The result of following every link. */
interface Walk {
  readonly ids: readonly number[];
  readonly pages: number;
}

interface Page {
  readonly value?: readonly { readonly Id: number }[];
  readonly '@odata.nextLink'?: string;
  readonly error?: { readonly message: string };
}

/** Follows `nextLink` to the end; `betweenPages` is called after each page. */
export async function walk(url: string, maxpagesize?: number, betweenPages?: () => Promise<void>): Promise<Walk> {
  const ids: number[] = [];
  let pages = 0;
  for (let next: string | undefined = url; next !== undefined; pages += 1) {
    const response: Response = await fetch(next, maxpagesize === undefined ? {} : { headers: { Prefer: `maxpagesize=${maxpagesize}` } });
    const page = (await response.json()) as Page;
    if (page.value === undefined) throw new Error(`${decodeURIComponent(next)} answered ${response.status}: ${page.error?.message}`);
    if (pages > 1000) throw new Error(`${decodeURIComponent(next)} does not end.`);
    ids.push(...page.value.map(({ Id }) => Id));
    next = page['@odata.nextLink'];
    await betweenPages?.();
  }
  return { ids, pages };
}

/** The key of a record. */
export function idOf({ values }: Entity): number {
  const key = values['Id'] as Value;
  return isNum(key) ? Number(key.over) : 0;
}
