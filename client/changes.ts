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
  /** A removed record, as the service reports it: its key properties or its `@id`. */
  readonly key?: unknown;
  /** Where to continue after this change. */
  readonly link: string;
}

/** Where to begin. */
export interface ChangeFeedOptions extends RequestOptions {
  /** The `link` of an earlier feed; without it the feed begins with all records of the query. */
  readonly since?: string | undefined;
}

/** Changes of the records of a query, up to now. */
export interface ChangeFeed<T> extends AsyncIterable<Change<T>> {
  /** Where to continue: pass it as `since`. */
  readonly link: string | undefined;
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
  const feed = { place: placeOf(set), query: (query ?? {}) as AnyQuery, options };
  const state = { link: options.since };
  return {
    get link() {
      return state.link;
    },
    async *[Symbol.asyncIterator]() {
      const read = state.link !== undefined && /^\d+$/.test(state.link) ? followEvents : followLinks;
      for await (const change of read({ ...feed, options: { ...options, since: state.link } })) {
        state.link = change.link;
        if ('record' in change || 'removed' in change) yield change as Change<Result<S['entity'], Q>>;
      }
    },
  };
}

/** A change, or only where to continue. */
export type Step = Change<unknown> | { readonly link: string };

// The preference is sent again with each link: without it the last page has none.
async function* followLinks(feed: Feed): AsyncGenerator<Step> {
  const { place, query, options } = feed;
  const events = options.since === undefined ? await lastEvent(feed) : undefined;
  const first = pagePlan<object>(options.since ?? place.path + printQuery(query), options, 'track-changes');
  let here = first.address;
  for await (const { records, next, delta } of pagesFrom(place, first, options)) {
    // Until its last change, a page is read again.
    for (const [index, record] of records.entries()) yield stepOf(record, (index === records.length - 1 && (next ?? delta)) || here);
    here = next ?? delta ?? events ?? here;
    yield { link: here };
  }
}

// Version 4.0 has another form of removals (JSON Format 4.0, 14).
function stepOf(record: object, link: string): Step {
  const removed = control(record, 'removed') as { readonly reason?: 'deleted' | 'changed' } | undefined;
  const { id, reason = 'changed' } = record as { readonly id?: unknown; readonly reason?: 'deleted' | 'changed' };
  if (removed) return { removed: removed.reason ?? 'changed', key: record, link };
  const isDeleted = String(control(record, 'context')).endsWith('/$deletedEntity');
  return isDeleted ? { removed: reason, key: { '@id': id }, link } : { record, link };
}

// The newest event before the first page is read; none for a service without them.
async function lastEvent({ place, options }: Feed): Promise<string | undefined> {
  if (!place.schema.sets['EntityEvent']) return undefined;
  const plan = pagePlan<{ readonly EntityEventSequence: number }>('EntityEvent?$orderby=EntityEventSequence%20desc&$top=1', options);
  const { records } = await execute(place, plan);
  return String(records[0]?.EntityEventSequence ?? 0);
}
