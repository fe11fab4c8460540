import type { Row } from './columns.js';
import { dayOf, dayText, type Life, momentText, secondsOfDay, today, todayDay } from './life.js';
import { chance, integer, orNull, pick, randomOf, type Random } from './random.js';

interface Visit {
  readonly day: number;
  readonly status: string;
}

/** Open houses of a listing: past ones from its time on the market, and future ones if it is active. */
export function openHousesOf(seed: number, number: number, listingKey: string, life: Life, agent: string): readonly Row<'OpenHouse'>[] {
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
