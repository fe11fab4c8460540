import type { Feed, Step } from './changes.js';
import { and, expressionOf, fieldsOf, type Condition } from './expression.js';
import { printTyped } from './literal.js';
import { pagePlan, pagesFrom } from './pages.js';
import { printQuery } from './print-query.js';

/** A notice of RESO's change feed. */
interface Notice {
  readonly EntityEventSequence: number;
  readonly ResourceRecordKey: string;
}

/** Changes by the set EntityEvent (RCP-27), which names the records that changed; `since` is a sequence number. */
export async function* followEvents({ place, query, options }: Feed): AsyncGenerator<Step> {
  const { since = '0' } = options;
  const filter = `ResourceName%20eq%20'${place.path}'%20and%20EntityEventSequence%20gt%20${since}`;
  const events = pagePlan<Notice>(`EntityEvent?$orderby=EntityEventSequence&$filter=${filter}`, options);
  const [[key = '', type = ''] = []] = Object.entries(place.row.key ?? {});
  let here = since;
  for await (const { records: notices } of pagesFrom(place, events, options)) {
    if (notices.length === 0) return;
    const keys = new Set(notices.map(({ ResourceRecordKey }) => ResourceRecordKey));
    const found = new Map<string, object>();
    const named = expressionOf<boolean>(`${key} in (${[...keys].map((one) => printTyped(one, type)).join()})`);
    const own = typeof query.filter === 'function' ? (query.filter as (fields: never) => Condition)(fieldsOf('')) : query.filter;
    const records = pagePlan<object>(place.path + printQuery({ ...query, filter: own ? and(named, own) : named }), options);
    for await (const page of pagesFrom(place, records, options))
      for (const record of page.records) found.set(String((record as Record<string, unknown>)[key]), record);
    const link = String(notices.at(-1)?.EntityEventSequence);
    for (const one of keys) {
      const record = found.get(one);
      yield record ? { record, link: here } : { removed: 'changed', key: { [key]: one }, link: here };
    }
    here = link;
    yield { link };
  }
}
