import { addressOf, siteOf, type Site } from './address.js';
import { buildingOf, roomsOf, roomsTotal, type Size, sizeOf } from './building.js';
import { type EntityContainer, own, type TransitionTable } from '../../../edm/index.js';
import { ConfigError } from '../../../config/config.js';
import type { Row } from './columns.js';
import { dateCells, priceCells, type Prices, pricesOf } from './dates.js';
import { featuresOf } from './features.js';
import { changesOf, historyRows, stampsOf, type Change } from './history.js';
import { checkJourneys, feedBefore, type Life, lifeOf, momentText, secondsOfDay, today, dayOf, dayText, todayDay } from './life.js';
import { mediaOf } from './media.js';
import { agentKey, colleagueOf, crowdFor, officeMemberKey, type Crowd } from './people.js';
import { propertyKinds, type PropertyKind } from './property-kinds.js';
import { chance, integer, orNull, pickWeighted, randomOf, pick, type Random } from './random.js';
import { remarksOf } from './remarks.js';

/** The facts that all listings of a run share. */
interface World {
  readonly seed: number;
  readonly crowd: Crowd;
  readonly transitions: TransitionTable;
  /** Values of a new draft by property, from the model's defaults. */
  readonly initial: { readonly [property: string]: string };
  readonly draftPrefix: string;
}

/** The states of listings in the model, and the numbers of members and offices. */
export function worldOf(container: EntityContainer, listings: number, seed: number): World {
  const { transitions, fields = {}, keyGeneration } = own(container.entityTypes, 'Property') ?? {};
  if (transitions === undefined) throw new ConfigError('The sample data needs the transitions of Property, but this model has none.');
  checkJourneys(transitions);
  const initial = Object.entries(fields).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default] as const]));
  return { seed, crowd: crowdFor(listings), transitions, initial: Object.fromEntries(initial), draftPrefix: keyGeneration?.prefix ?? '' };
}

/** A listing with its dependent rows. */
export interface Listing {
  readonly number: number;
  readonly property: Row<'Property'>;
  readonly media: readonly Row<'Media'>[];
  readonly rooms: readonly Row<'PropertyRooms'>[];
  readonly openHouses: readonly Row<'OpenHouse'>[];
  readonly history: readonly Row<'HistoryTransactional'>[];
  /** The times of entry and changes, each of which is an event. */
  readonly events: readonly number[];
}

/** The listing with the number, reproducible by seed. */
export function listingOf(world: World, number: number): Listing {
  const { seed } = world;
  const sketch = sketchOf(world, number);
  const { key, kind, life, size, changes } = sketch;
  const people = peopleOf(world, number, life, changes.length > 0 || sketch.modified > life.entered);
  const media = mediaOf(seed, number, key, life);
  const rooms = roomsOf(seed, number, key, kind, size, life.moves.length === 0, momentText(life.entered));
  return {
    number,
    property: {
      ...describe(world, number, sketch),
      ...people,
      RoomsTotal: roomsTotal(rooms),
      PhotosCount: media.rows.length,
      PhotosChangeTimestamp: media.changed,
    },
    media: media.rows,
    rooms,
    openHouses: openHousesOf(seed, number, key, life, people.ListAgentKey),
    history: historyRows(changes, key, people.ChangedByMemberKey ?? people.ListAgentKey),
    events: [...new Set([life.entered, ...changes.map(({ second }) => second), sketch.modified])],
  };
}

/** The shared facts of a listing's parts. */
interface Sketch {
  readonly key: string;
  readonly kind: PropertyKind;
  readonly life: Life;
  readonly site: Site;
  readonly size: Size;
  readonly prices: Prices;
  readonly changes: readonly Change[];
  readonly modified: number;
}

function sketchOf(world: World, number: number): Sketch {
  const { seed } = world;
  const kind = pickWeighted(randomOf(seed, 'kind', number), propertyKinds);
  const life = lifeOf(seed, number, world.transitions);
  const site = siteOf(seed, number);
  const size = sizeOf(seed, number, kind);
  const prices = pricesOf(seed, number, kind, site.place, size, life);
  const changes = changesOf(life, prices, world.initial);
  const key = life.moves.length === 0 ? `${world.draftPrefix}${number}` : String(number);
  return { key, kind, life, site, size, prices, changes, modified: modifiedAt(world, number, life, changes) };
}

function describe(world: World, number: number, { key, kind, life, site, size, prices, changes, modified }: Sketch) {
  const { seed } = world;
  return {
    ListingKey: key,
    ...identityOf(world, number),
    PropertyType: kind.type,
    PropertySubType: kind.subType,
    ...statesOf(world, life),
    ...addressOf(seed, number, site, kind),
    ...buildingOf(seed, number, kind, site.place, size),
    ...featuresOf(seed, number, kind),
    ...priceCells(seed, number, kind, site.place, prices, life),
    ...dateCells(seed, number, life),
    ...remarksOf(seed, number, kind, site, size, life.moves.length === 0),
    OriginalEntryTimestamp: momentText(life.entered),
    ...stampsOf(changes),
    DocumentsChangeTimestamp: null,
    ModificationTimestamp: momentText(modified),
  };
}

function identityOf({ seed }: World, number: number) {
  const random = randomOf(seed, 'kind', -number);
  return { ListingId: orNull(random, 0.05, `GB${10_000_000 + number}`), OriginatingSystemID: orNull(random, 0.3, 'GBL') };
}

/** The three status properties, as the model's transitions leave them. */
function statesOf({ initial, transitions }: World, { moves, state }: Life) {
  const { ContractStatus = '', MlsStatus = '' } = Object.assign({}, initial, ...moves.map(({ sets }) => sets)) as Readonly<
    Record<string, string>
  >;
  return { ContractStatus, MlsStatus, StandardStatus: moves.length === 0 ? transitions.initial : state };
}

function peopleOf({ seed, crowd }: World, number: number, { state }: Life, changed: boolean) {
  const random = randomOf(seed, 'people', number);
  const agent = integer(random, 1, crowd.agents);
  const colleague = colleagueOf(random, agent, crowd);
  const buyer = agentKey(integer(random, 1, crowd.agents));
  const office = officeMemberKey(agent, crowd);
  return {
    ListAgentKey: agentKey(agent),
    ListOfficeKey: office,
    CoListAgentKey: colleague !== agent && chance(random, 0.15) ? agentKey(colleague) : null,
    BuyerAgentKey: state === 'Sold' || state === 'Pending' ? orNull(random, state === 'Sold' ? 0.1 : 0.6, buyer) : null,
    ChangedByMemberKey: changed ? (chance(random, 0.2) ? office : agentKey(agent)) : null,
  };
}

// A third of the listings were modified once more, many of them together by a nightly feed.
function modifiedAt({ seed }: World, number: number, { entered }: Life, changes: readonly Change[]): number {
  const random = randomOf(seed, 'life', -number);
  const last = changes[changes.length - 1]?.second ?? entered;
  if (chance(random, 0.65)) return last;
  const later = Math.min(today - 1, last + integer(random, 1, 60) * secondsOfDay + integer(random, 0, 40_000));
  const fed = feedBefore(later);
  return chance(random, 0.75) && fed > last ? fed : later;
}

interface Visit {
  readonly day: number;
  readonly status: string;
}

/** Open houses of a listing: past ones from its time on the market, and future ones if it is active. */
function openHousesOf(seed: number, number: number, listingKey: string, life: Life, agent: string): readonly Row<'OpenHouse'>[] {
  const random = randomOf(seed, 'openHouses', number);
  return visits(random, life).map((visit, index) => openHouse(random, visit, `${number}-H${index + 1}`, listingKey, agent));
}

function visits(random: Random, { moves, state }: Life): readonly Visit[] {
  const active = moves.findIndex(({ to }) => to === 'Active');
  const start = moves[active];
  if (start === undefined) return [];
  const end = dayOf(moves[active + 1]?.second ?? today - 1);
  const past = chance(random, 0.22) ? pastDays(random, dayOf(start.second), end) : [];
  const coming = state === 'Active' && chance(random, 0.3) ? [todayDay + integer(random, 1, 14)] : [];
  return [
    ...past.map((day) => ({ day, status: chance(random, 0.08) ? 'Canceled' : 'Ended' })),
    ...coming.map((day) => ({ day, status: chance(random, 0.05) ? 'Canceled' : 'Active' })),
  ];
}

function pastDays(random: Random, start: number, end: number): readonly number[] {
  const first = start + integer(random, 2, 9);
  return [first, first + 7].slice(0, integer(random, 1, 2)).filter((day) => day < end);
}

function openHouse(random: Random, { day, status }: Visit, key: string, listingKey: string, agent: string): Row<'OpenHouse'> {
  const opens = day * secondsOfDay + integer(random, 14, 19) * 3_600 + (chance(random, 0.3) ? 1_800 : 0);
  const entered = Math.min(today - 1, opens) - integer(random, 1, 36) * 3_600 - integer(random, 0, 3_599);
  return {
    OpenHouseKey: key,
    OpenHouseId: key.replace('-H', '0'),
    ListingKey: listingKey,
    OpenHouseDate: dayText(day),
    OpenHouseStartTime: momentText(opens),
    OpenHouseEndTime: momentText(opens + integer(random, 2, 4) * 1_800),
    OpenHouseStatus: status,
    OpenHouseType: chance(random, 0.85) ? 'Public' : 'Broker',
    OpenHouseRemarks: orNull(
      random,
      0.6,
      pick(random, [
        "Coffee & Timbits. Kids' corner.",
        'Please remove shoes.',
        'Park on the street.',
        'By the side entrance; "Gable" sign.',
      ]),
    ),
    ShowingAgentKey: orNull(random, 0.1, agent),
    OriginalEntryTimestamp: momentText(entered),
    ModificationTimestamp: momentText(entered),
  };
}
