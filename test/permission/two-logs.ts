import type { EntityType } from '../../runtime/edm/index.js';
import { collectionOptions } from '../support/requests/options.js';
import type { RandomRequest } from '../support/requests/random-request.js';
import { createRandom, type Random } from './random.js';
import { openHookReader } from './two-hooks.js';
import { askBoth, differencesOf, pageAt, type TwoDatabases } from './two-databases.js';

/** The outcome of comparing what two services report of their changes. */
interface LogOutcome {
  /** Links that were followed, and those whose answers had changes. */
  readonly followed: number;
  readonly telling: number;
  /** Rounds after which hooks delivered changes. */
  readonly delivered: number;
  readonly different: readonly string[];
}

const queries = 8;
const rounds = 4;

/**
 * Follows delta links, events and deliveries of hooks of both services while they change, also in what the caller may not
 * see, and compares all that comes back. Numbers of changes have gaps, so tokens and numbers are not compared.
 */
export async function compareLogs(
  two: TwoDatabases,
  { cases, seed, caller }: { readonly cases: number; readonly seed: number; readonly caller: string },
): Promise<LogOutcome> {
  const different: string[] = [];
  let [followed, telling, delivered] = [0, 0, 0];
  const hooks = openHookReader(two);
  for (let first = 0; first < cases; first += queries * rounds) {
    const random = createRandom(seed + first);
    await two.reset(caller);
    const links = await startLinks(two, caller, random, different);
    const before = await lastNumbers(two);
    for (let round = 0; round < rounds; round += 1) {
      await two.change(caller, random);
      for (const link of links) {
        const { hasChanges, differences, next } = await follow(two, link, caller);
        different.push(
          ...differences.map((text) => `${seed + first}: ${caller}: round ${round} of ${decodeURIComponent(link.path)}\n${text}`),
        );
        link.links = next;
        followed += 1;
        if (hasChanges) telling += 1;
      }
      const events = await askBoth(two, [eventsAfter(before[0], two), eventsAfter(before[1], two)], caller);
      different.push(...differencesOf(...events).map((text) => `${seed + first}: ${caller}: events of round ${round}\n${text}`));
      const [one, other] = await hooks.deliveries(caller, before);
      if (one !== '') delivered += 1;
      if (one !== other) different.push(`${seed + first}: ${caller}: deliveries of round ${round}\n${one}\n${other}`);
    }
  }
  await hooks.close();
  return { followed, telling, delivered, different };
}

interface Followed {
  readonly path: string;
  links: readonly [string, string];
}

const tracking = { Prefer: 'track-changes' };

async function startLinks(two: TwoDatabases, caller: string, random: Random, different: string[]): Promise<readonly Followed[]> {
  const found: Followed[] = [];
  for (let count = 0; count < queries; count += 1) {
    const path = trackedQuery(random, two);
    const request = trackedAt(path);
    const answers = await askBoth(two, [request, request], caller);
    different.push(...differencesOf(...answers).map((text) => `${caller}: ${decodeURIComponent(path)}\n${text}`));
    const links = await lastLinks(two, answers, caller);
    if (links !== undefined) found.push({ path, links });
  }
  return found;
}

type Answers = Awaited<ReturnType<typeof askBoth>>;

// The links at the end of both chains of pages.
async function lastLinks(two: TwoDatabases, [one, other]: Answers, caller: string): Promise<Followed['links'] | undefined> {
  if (one.next !== undefined && other.next !== undefined)
    return lastLinks(two, await askBoth(two, [pageAt(one.next), pageAt(other.next)], caller), caller);
  return one.delta !== undefined && other.delta !== undefined ? [one.delta, other.delta] : undefined;
}

function trackedQuery(random: Random, { subject }: TwoDatabases): string {
  const type = random.pick(subject.types.filter(isTracked));
  const options = collectionOptions(type, random, subject).split('&');
  const kept = options.filter((option) => /^\$(filter|select|expand|orderby|search)=/.test(option));
  return `/${type.entitySet}?${[...kept, ...(random.chance(0.3) ? ['$deltatoken=latest'] : [])].join('&')}`;
}

function isTracked({ entitySet, tracking: tracked }: EntityType): boolean {
  return entitySet !== undefined && tracked !== undefined;
}

async function follow(
  two: TwoDatabases,
  { links: [one, other] }: Followed,
  caller: string,
): Promise<{ readonly hasChanges: boolean; readonly differences: readonly string[]; readonly next: Followed['links'] }> {
  const counts = await askBoth(two, [pageAt(counted(one)), pageAt(counted(other))], caller);
  const pages = await askBoth(two, [trackedAt(one), trackedAt(other)], caller);
  const next = await lastLinks(two, pages, caller);
  if (next === undefined)
    return { hasChanges: false, differences: [`${pages[0].status} ${pages[0].body} has no link`], next: [one, other] };
  return { hasChanges: counts[0].body !== '0', differences: [...differencesOf(...counts), ...differencesOf(...pages)], next };
}

function trackedAt(path: string): RandomRequest {
  return { ...pageAt(path), headers: tracking };
}

function counted(link: string): string {
  return link.replace('?', '/$count?');
}

// The numbers of the last events, by a caller who sees all.
async function lastNumbers(two: TwoDatabases): Promise<readonly [string, string]> {
  const { set, number } = two.events;
  const request = pageAt(`/${set}?$orderby=${number}%20desc&$top=1&$select=${number}`);
  const answers = await askBoth(two, [request, request], two.events.reader);
  const [one = '0', other = '0'] = answers.map(({ body }) => /"value":\[\s*\{[^}]*:"?(\d+)"?\}/.exec(body)?.[1] ?? '0');
  return [one, other];
}

// Addresses of events have their numbers.
function eventsAfter(last: string, { events: { set, number, shown } }: TwoDatabases): RandomRequest {
  const query = `$filter=${number}%20gt%20${last}&$orderby=${number}&$select=${shown}&$count=true&$top=100`;
  return { ...pageAt(`/${set}?${query}`), headers: { Accept: 'application/json;odata.metadata=none' } };
}
