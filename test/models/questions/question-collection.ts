import { askApply } from './ask-apply.js';
import { askFilter } from './ask-filter.js';
import { askBatch, askLinks } from './ask-links.js';
import { askNavigation, waysOf, type Way } from './ask-navigation.js';
import { askCount, askOrder } from './ask-order.js';
import { askRefs } from './ask-refs.js';
import { askAddress, askByKey, askSelect } from './ask-shown.js';
import { askDelete, askPatch, askSameAgain } from './ask-write.js';
import type { Subject } from './client.js';
import { isOrdered } from './compare.js';
import { placesOf, type Place } from './places.js';
import { fill, writeRecords, type Collection, type Filled } from './records.js';

/** How many records of random values a collection gets. */
const records = 8;

type Question = (subject: Subject, collection: Filled) => Promise<void>;
type WayQuestion = (subject: Subject, collection: Filled, way: Way) => Promise<void>;
type PlaceQuestion = (subject: Subject, collection: Filled, place: Place) => Promise<void>;

const wholeQuestions: readonly (readonly [string, Question])[] = [
  ['count', askCount],
  ['by key', askByKey],
  ['links', askLinks],
  ['batch', askBatch],
];

const wayQuestions: readonly (readonly [string, WayQuestion])[] = [['navigation', askNavigation]];

const placeQuestions: readonly (readonly [string, PlaceQuestion, (place: Place) => boolean])[] = [
  ['order', askOrder, ({ field }) => isOrdered(field) && field.sortable !== false],
  ['filter', askFilter, ({ field }) => field.filterable !== false],
  ['apply', askApply, ({ field }) => isOrdered(field)],
  ['select', askSelect, () => true],
  ['address', askAddress, () => true],
];

const changes: readonly (readonly [string, Question])[] = [
  ['patch', askPatch],
  ['same again', askSameAgain],
];

/** Writes into a collection, and asks it everything, of each of its properties; what is not as it should be. */
export async function questionCollection(subject: Subject, collection: Collection): Promise<readonly string[]> {
  const failures = [...(await writeRecords(subject, collection, records))];
  const filled = await settled(failures, 'read', () => fill(subject, collection));
  if (filled === undefined) return failures;
  const ways = waysOf(collection.type, subject);
  for (const [name, question] of wholeQuestions) await settled(failures, name, () => question(subject, filled));
  for (const way of ways) for (const [name, question] of wayQuestions) await settled(failures, name, () => question(subject, filled, way));
  for (const place of placesOf(collection.type, subject.container)) {
    for (const [name, question, isFor] of placeQuestions)
      if (isFor(place)) await settled(failures, name, () => question(subject, filled, place));
  }
  for (const way of ways) await settled(failures, '$ref', () => askRefs(subject, filled, way));
  return failures;
}

/** Changes records and deletes one, once nothing else is asked. */
export async function changeCollection(subject: Subject, collection: Collection): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const [name, question] of changes) await settled(failures, name, async () => question(subject, await fill(subject, collection)));
  return failures;
}

/** Deletes a record of a collection. */
export async function emptyCollection(subject: Subject, collection: Collection): Promise<readonly string[]> {
  const failures: string[] = [];
  await settled(failures, 'delete', async () => askDelete(subject, await fill(subject, collection)));
  return failures;
}

async function settled<Result>(failures: string[], name: string, question: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await question();
  } catch (failure) {
    failures.push(`${name}: ${(failure as Error).message}`);
    return undefined;
  }
}
