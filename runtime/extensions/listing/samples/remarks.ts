import type { Site } from './address.js';
import type { Size } from './building.js';
import type { PropertyKind } from './property-kinds.js';
import { chance, orNull, pick, pickSome, randomOf } from './random.js';

/** The texts of a listing; drafts often have none. */
export function remarksOf(seed: number, number: number, kind: PropertyKind, { place, area }: Site, size: Size, draft: boolean) {
  const random = randomOf(seed, 'text', number);
  const opening = pick(random, openings)
    .replaceAll('{kind}', kind.subType.toLowerCase())
    .replaceAll('{area}', area[0])
    .replaceAll('{city}', place.city);
  const rest = pickSome(random, kind.bedrooms ? homeSentences : otherSentences, 2, 6);
  const paragraphs = [[opening, bedroomSentence(size)].join('').trim(), rest.join(' ')];
  return {
    PublicRemarks: orNull(random, draft ? 0.5 : 0.02, paragraphs.join(chance(random, 0.25) ? '\n\n' : ' ')),
    PrivateRemarks: orNull(random, 0.5, pick(random, privateRemarks)),
    ShowingInstructions: orNull(random, 0.35, pick(random, showingInstructions)),
    InternetEntireListingDisplayYN: chance(random, 0.97),
    InternetAddressDisplayYN: orNull(random, 0.03, chance(random, 0.95)),
    VirtualTourURLUnbranded: orNull(random, 0.8, `https://tours.gable.example/${number}?unbranded=1&lang=en`),
  };
}

function bedroomSentence({ bedrooms, squareFeet }: Size): string {
  return bedrooms === 0 ? '' : ` ${bedrooms} bedroom${bedrooms === 1 ? '' : 's'}, about ${squareFeet} sq. ft.`;
}

/** Openings of a public description; `{city}`, `{area}`, `{kind}`, `{beds}` and `{year}` are filled in. */
const openings: readonly string[] = [
  'Welcome to this well-kept {kind} in the heart of {area}.',
  "Rarely offered: a bright {kind} on one of {area}'s quietest streets.",
  "First time on the market in 30 years! Don't miss this {kind} in {city}.",
  'Location, location, location. This {kind} puts {area} at your doorstep.',
  'A real "turn-key" {kind}, minutes from everything {city} has to offer.',
];

const homeSentences: readonly string[] = [
  'The kitchen was redone with quartz counters, a gas range & plenty of storage.',
  'Large windows bring the light in all day.',
  'The primary bedroom has an ensuite and a walk-in closet.',
  'Newer furnace, newer roof, updated wiring (all with permits).',
  'Walk to schools, parks, cafés and transit.',
  'The yard is fully fenced – bring the dog.',
  'Low utility costs; 200-amp service; EV charger rough-in.',
  "Just steps from St. Mark's Square and the farmers' market.",
  "Original trim, 9' ceilings and hardwood throughout.",
  'The lower level has its own entrance and in-law potential.',
  'Garden lovers will be at home here 🌷.',
];

/** Sentences for land, farms and business property. */
const otherSentences: readonly string[] = [
  'Zoning allows a wide range of uses; buyers to do their own due diligence.',
  'Services at the lot line.',
  'High traffic count and excellent exposure.',
  'Survey and environmental report (phase I) on file.',
  'Paved parking, loading at grade.',
  'Access from a year-round municipal road.',
];

const privateRemarks: readonly string[] = [
  'Offers any time, 24 h irrevocable. Attach Schedule B.',
  'Seller is related to the listing agent (RECO disclosure in documents).',
  "Tenant's lease ends with 60 days' notice; please do not speak to the tenant.",
  'Lockbox on the side gate.\nAlarm code from the listing office only.',
  'Offers reviewed on Tuesday at 19:00; no pre-emptive offers.',
];

const showingInstructions: readonly string[] = [
  'Book through the showing service; 2 h notice.',
  'Call the listing office.',
  'Vacant: go and show, lockbox.',
  '24 h notice for tenants.',
  'By appointment only; cat must stay in.',
];

/** Driving directions. */
export const directions: readonly string[] = [
  'From {cross} go north, second left.',
  'Highway exit 12, right at the lights, follow {cross} to the end.',
  'Off {cross}, behind the school.',
  'South of {cross}; sign on the property.',
];
