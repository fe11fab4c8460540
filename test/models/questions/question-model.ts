import { askRoot } from './ask-links.js';
import type { Subject } from './client.js';
import { changeCollection, emptyCollection, questionCollection } from './question-collection.js';
import type { Collection } from './records.js';

/** Parents are emptied last. */
const phases = [questionCollection, changeCollection, emptyCollection];

/** Asks everything of every collection of a model; what is not as it should be. */
export async function questionModel(subject: Subject, collections: readonly Collection[]): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const phase of phases) {
    for (const collection of collections.toSorted((left, right) => right.path.length - left.path.length)) {
      const found = await phase(subject, collection);
      failures.push(...found.map((failure) => shortened(`${decodeURIComponent(collection.path)}: ${failure}`)));
    }
  }
  await askRoot(subject).catch((failure: Error) => failures.push(`root: ${failure.message}`));
  return failures;
}

// Names may have 128 letters.
function shortened(failure: string): string {
  return failure.replace(/(.{1,6}?)\1{9,}/gu, '$1…');
}
