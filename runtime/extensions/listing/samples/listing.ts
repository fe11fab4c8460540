import { addressOf, siteOf, type Site } from './address.js';
import { buildingOf, roomsOf, roomsTotal, type Size, sizeOf } from './building.js';
import { type EntityContainer, own, type TransitionTable } from '../../../edm/index.js';
import { ConfigError } from '../../../config/config.js';
import type { Row } from './columns.js';
import { dateCells, priceCells, type Prices, pricesOf } from './dates.js';
import { featuresOf } from './features.js';
import { changesOf, historyRows, stampsOf, type Change } from './history.js';
import { checkJourneys, feedBefore, type Life, lifeOf, momentText, secondsOfDay, today } from './life.js';
import { mediaOf } from './media.js';
import { openHousesOf } from './open-houses.js';
import { agentKey, colleagueOf, crowdFor, officeMemberKey, type Crowd } from './people.js';
import { propertyKinds, type PropertyKind } from './property-kinds.js';
import { chance, integer, orNull, pickWeighted, randomOf } from './random.js';
import { remarksOf } from './remarks.js';

/** The facts that all listings of a run share. */
export interface World {
  readonly seed: number;
  readonly crowd: Crowd;
  readonly transitions: TransitionTable;
  /** Values of a new draft by property, from the model's defaults. */
  readonly initial: { readonly [property: string]: string };
  /** Prefix of a draft's key. */
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
