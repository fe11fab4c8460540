import type { Site } from './address.js';
import type { Size } from './building.js';
import type { PropertyKind } from './property-kinds.js';
import { chance, orNull, pick, pickSome, randomOf } from './random.js';
import { homeSentences, openings, otherSentences, privateRemarks, showingInstructions } from './remark-sentences.js';

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
