import type { Row } from './columns.js';
import { type Life, momentText, secondsOfDay, today } from './life.js';
import { chance, integer, middling, orNull, pick, randomOf, type Random } from './random.js';

// oxfmt-ignore
const captions = [
  'Front', 'Kitchen', 'Living room', 'Primary bedroom', 'Bath', 'Backyard', "Owner's retreat", 'Dining room', 'Street view', 'Entrée',
  'View from the porch',
];

const formats = [
  { type: 'image/jpeg', ending: 'jpg', width: 2048, height: 1365, size: 'Large' },
  { type: 'image/jpeg', ending: 'jpg', width: 1600, height: 1200, size: 'Large' },
  { type: 'image/jpeg', ending: 'jpg', width: 1024, height: 683, size: 'Medium' },
  { type: 'image/webp', ending: 'webp', width: 1920, height: 1080, size: 'Large' },
  { type: 'image/png', ending: 'png', width: 640, height: 480, size: 'Small' },
] as const;

/** The photos of a listing, 0 to 25, and the time of the last change. */
export function mediaOf(
  seed: number,
  number: number,
  listingKey: string,
  life: Life,
): { readonly rows: readonly Row<'Media'>[]; readonly changed: string | null } {
  const random = randomOf(seed, 'media', number);
  const count = countOf(random, life.state);
  const seconds = Array.from({ length: count }, () => uploaded(random, life));
  const rows = seconds.map((second, index) => photo(random, number, listingKey, index, second));
  return { rows, changed: count === 0 ? null : momentText(Math.max(...seconds)) };
}

function countOf(random: Random, state: string): number {
  if (state === 'Incomplete') return integer(random, 0, 5);
  return chance(random, 0.06) ? 0 : middling(random, 0, 23) - (chance(random, 0.05) ? 0 : 1) + 1 + (chance(random, 0.01) ? 2 : 0);
}

// Most photos are uploaded with the listing, some weeks later.
function uploaded(random: Random, { entered }: Life): number {
  const later = chance(random, 0.1) ? integer(random, 2, 40) * secondsOfDay : 0;
  return Math.min(today - 1, entered + 300 + integer(random, 0, 7_200) + later);
}

function photo(random: Random, number: number, listingKey: string, index: number, second: number): Row<'Media'> {
  const format = pick(random, formats);
  const upright = chance(random, 0.1);
  return {
    MediaKey: `${number}-${index + 1}`,
    ResourceName: 'Property',
    ResourceRecordKey: listingKey,
    MediaURL: `https://media.gable.example/${number}/${index + 1}.${format.ending}`,
    MediaType: format.type,
    MediaCategory: 'Photo',
    MediaStatus: 'Complete',
    ImageSizeDescription: orNull(random, 0.2, format.size),
    ShortDescription: orNull(random, 0.45, pick(random, captions)),
    LongDescription: null,
    Order: index,
    PreferredPhotoYN: index === 0,
    ImageWidth: upright ? format.height : format.width,
    ImageHeight: upright ? format.width : format.height,
    MediaModificationTimestamp: momentText(second),
    ModificationTimestamp: momentText(second),
  };
}
