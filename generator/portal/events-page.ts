import { hrefFrom, type Page, type Site } from './site.js';
import { timestampsOf } from './timestamps.js';

const path = 'events.html';

/** The page about following changes: by delta links, events and timestamps, as far as the model has them. */
export function eventsPage(site: Site): Page {
  const ways = { delta: deltaView(site), events: eventsView(site), timestamps: timestampsView(site) };
  return {
    path,
    title: 'Follow changes',
    template: 'events',
    view: { ...ways, hasAny: Object.values(ways).some((way) => way !== undefined) },
  };
}

function deltaView({ sets }: Site): object | undefined {
  const tracked = sets.filter(({ entity }) => entity.tracking !== undefined && entity.hierarchy.setType === undefined);
  const [first] = tracked;
  if (first === undefined) return undefined;
  return { sets: tracked.map((entry) => ({ set: entry.view.set, href: hrefFrom(path, entry.path) })), first: first.view.set };
}

function eventsView({ sets }: Site): object | undefined {
  const found = sets.find(({ entity }) => entity.events !== undefined);
  const { sequence, set, key } = found?.entity.events ?? {};
  if (found === undefined) return undefined;
  const request = `GET /odata/${found.view.set}?$filter=${sequence} gt 4711&$orderby=${sequence}`;
  return { set: found.view.set, href: hrefFrom(path, found.path), request, sequence, ofSet: set, ofKey: key };
}

function timestampsView(site: Site): object | undefined {
  const rows = timestampsOf(site);
  const [first] = rows;
  if (first === undefined) return undefined;
  const order = [first.field, ...first.key].join(',');
  return {
    rows: rows.map((row) => ({ ...row, href: hrefFrom(path, row.path) })),
    request: `GET /odata/${first.set}?$filter=${first.field} ge 2026-01-31T09:00:00Z&$orderby=${order}`,
  };
}
