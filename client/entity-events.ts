import type { Feed, Step } from './changes.js';
import { and, expressionOf } from './expression.js';
import { printTyped } from './literal.js';
import { pagePlan, pagesFrom } from './pages.js';
import { printQuery, resolve } from './print-query.js';

/** A notice of RESO's change feed. */
interface Notice {
  readonly EntityEventSequence: number;
  readonly ResourceRecordKey: string;
}

/** Changes by the set EntityEvent (RCP-27), which names the records that changed; `since` is a sequence number. */
export async function* followEvents({ place, query, options }: Feed): AsyncGenerator<Step> {
  const { since } = options;
  // Spaces are encoded with the whole address.
  const newer = `ResourceName eq '${place.path}' and EntityEventSequence gt ${since}`;
  const events = pagePlan<Notice>(`EntityEvent?$orderby=EntityEventSequence&$filter=${newer}`, options);
  const [[key, type]] = Object.entries(place.row.key as object) as [[string, string]];
  let here = since as string;
  for await (const { records: notices } of pagesFrom(place, events, options)) {
    if (!notices.length) return;
    const keys = new Set(notices.map(({ ResourceRecordKey }) => ResourceRecordKey));
    const named = expressionOf<boolean>(`${key} in (${[...keys].map((one) => printTyped(one, type)).join()})`);
    const filter = query.filter ? and(named, resolve(query.filter)) : named;
    for await (const page of pagesFrom(place, pagePlan(place.path + printQuery({ ...query, filter }), options), options))
      for (const record of page.records) {
        keys.delete(String((record as Record<string, unknown>)[key]));
        yield { record, link: here };
      }
    for (const one of keys) yield { removed: 'changed', key: { [key]: one }, link: here };
    here = String(notices.at(-1)?.EntityEventSequence);
    yield { link: here };
  }
}
