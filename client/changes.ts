import type { Place } from './address.js';
import { placeOf, type SetHandle } from './connect.js';
import { followEvents } from './entity-events.js';
import type { AnySet } from './model.js';
import type { RequestOptions } from './options.js';
import { pagePlan, pagesFrom } from './pages.js';
import { printQuery, type AnyQuery } from './print-query.js';
import type { Exact, Query, Result } from './query.js';
import { control } from './receive.js';
import { execute } from './send.js';

/** A record that was added or changed, or the removal of one. */
export interface Change<T> {
  /** The record, or what changed of it; absent if it was removed. */
  readonly record?: T;
  /** Deleted, or no longer one of the query's. */
  readonly removed?: 'deleted' | 'changed';
  /** A removed record, as the service reports it: its key properties, its `@id`, or in version 4.0 its `id`. */
  readonly key?: unknown;
  /** Where to continue after this change. */
  readonly link: string;
}

/** Where to begin. */
export interface ChangeFeedOptions extends RequestOptions {
  /** The `link` of an earlier feed; without it the feed begins with all records of the query. */
  readonly since?: string | undefined;
  /** Seconds for which a service may hold its answer to a delta link until there is a change. */
  readonly wait?: number | undefined;
}

/** Changes of the records of a query, up to now. */
export interface ChangeFeed<T> extends AsyncIterable<Change<T>> {
  /** Where to continue: pass it as `since`. */
  link: string | undefined;
}

/** A feed as it is read. */
export interface Feed {
  readonly place: Place;
  readonly query: AnyQuery;
  readonly options: ChangeFeedOptions;
}

/**
 * The changes of a set: by delta links (Protocol 11.3), or of a service without them by its set EntityEvent.
 * A link that is too old throws `Expired`: begin without `since`.
 */
export function changes<S extends AnySet, const Q extends Query<S['entity']>>(
  set: SetHandle<S>,
  query?: Q & Exact<Q>,
  options: ChangeFeedOptions = {},
): ChangeFeed<Result<S['entity'], Q>> {
  const place = placeOf(set);
  return {
    link: options.since,
    async *[Symbol.asyncIterator]() {
      const follow = /^\d+$/.test(this.link as string) ? followEvents : followLinks;
      for await (const change of follow({ place, query: (query ?? {}) as AnyQuery, options: { ...options, since: this.link } })) {
        this.link = change.link;
        if (change.record || change.removed) yield change as Change<Result<S['entity'], Q>>;
      }
    },
  } as ChangeFeed<Result<S['entity'], Q>>;
}

/** A change, or only where to continue. */
export type Step = Change<unknown>;

const newest = 'EntityEvent?$orderby=EntityEventSequence%20desc&$top=1';

// The preference is sent again with each link: without it the last page has none. Version 4.0 knows its second name only.
async function* followLinks({ place, query, options }: Feed): AsyncGenerator<Step> {
  const { since, wait } = options;
  // Read before the first page, for a service without delta links.
  const events =
    since || !place.schema.sets['EntityEvent']
      ? undefined
      : await execute(place, pagePlan<{ EntityEventSequence: number }>(newest, options));
  const prefer = `track-changes,odata.track-changes${wait ? `,wait=${wait}` : ''}`;
  const first = pagePlan<object>(since ?? place.path + printQuery(query), options, prefer);
  let here = first.address;
  for await (const { records, next, delta } of pagesFrom(place, first, options)) {
    const link = next ?? delta;
    for (const record of records) yield stepOf(record, record === records.at(-1) ? (link ?? here) : here);
    if (!link && !events) throw new Error(`${place.path} tracks no changes`);
    here = link ?? `${events?.records[0]?.EntityEventSequence ?? 0}`;
    yield { link: here };
  }
}

// Version 4.0 has another form of removals, with the id of the record (JSON Format 4.0, 14).
function stepOf(key: object, link: string): Step {
  const isDeleted = (control(key, 'context') as string | undefined)?.endsWith('/$deletedEntity');
  const removed = (control(key, 'removed') ?? (isDeleted && key)) as { readonly reason?: 'deleted' | 'changed' } | undefined;
  return removed ? { removed: removed.reason ?? 'changed', key, link } : { record: key, link };
}
