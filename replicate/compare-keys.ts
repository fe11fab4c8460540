import { unchanged } from './changed-records.js';
import { keyOf, keyText, type Key } from './key.js';
import { pagesAt, settleKeys } from './read-records.js';
import type { SetCopy } from './set-copy.js';
import { keysAddress } from './set-query.js';

/**
 * Compares the keys of a service with those of the copy. Records on one side only are read by their keys, because a
 * record can be missed while pages shift.
 */
export async function compareKeys(copy: SetCopy): Promise<void> {
  const { set } = copy;
  const started = new Date().toISOString();
  const copied = new Map((await copy.keys()).map((key) => [keyText(set, key), key]));
  const added: Key[] = [];
  for await (const { records } of pagesAt(copy, keysAddress(set)))
    for (const record of records) {
      const key = keyOf(set, record);
      if (!copied.delete(keyText(set, key))) added.push(key);
    }
  await settleKeys(copy, [...added, ...copied.values()]);
  await copy.save(unchanged, { comparedAt: started });
}
