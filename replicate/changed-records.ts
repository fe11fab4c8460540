import { control } from '../client/receive.js';
import type { CopiedSet } from './copied-set.js';
import { addressKey, keyOf, keyText, type Key, type ServiceRecord } from './key.js';

/** The effect of a page on a copy. */
export interface Changed {
  readonly records: readonly ServiceRecord[];
  readonly removed: readonly Key[];
  /** A record may lack properties that have not changed; elsewhere an absent property is null. */
  readonly isPartial?: boolean;
}

/** Nothing. */
export const unchanged: Changed = { records: [], removed: [] };

/** A page of changes, and the records in it whose state must be read. */
export interface DeltaPage extends Changed {
  readonly unclear: readonly Key[];
}

type Kind = 'record' | 'removed' | 'unclear';

/** Reads the items of a delta payload (JSON Format 15), in the form of version 4.01 or 4.0. */
export function readDelta(set: CopiedSet, items: readonly ServiceRecord[]): DeltaPage {
  const all = new Map<string, Item>();
  for (const item of items) {
    const read = readItem(set, item);
    const text = keyText(set, read.key);
    // Of several changes of a record in one page, its state is the result.
    all.set(text, all.has(text) ? { ...read, kind: 'unclear' } : read);
  }
  const read = [...all.values()];
  const keys = (kind: Kind): readonly Key[] => read.flatMap((each) => (each.kind === kind ? [each.key] : []));
  const records = read.flatMap(({ kind, item }) => (kind === 'record' ? [item] : []));
  return { records, removed: keys('removed'), unclear: keys('unclear'), isPartial: true };
}

interface Item {
  readonly kind: Kind;
  readonly item: ServiceRecord;
  readonly key: Key;
}

// The forms of 4.0 by the end of their context, with the member that names the record.
const contexts: { readonly [end: string]: { readonly kind: Kind; readonly member: string } } = {
  $deletedEntity: { kind: 'removed', member: 'id' },
  $link: { kind: 'unclear', member: 'source' },
  $deletedLink: { kind: 'unclear', member: 'source' },
};

function readItem(set: CopiedSet, item: ServiceRecord): Item {
  const [, of, end = ''] = /#([\w.]+).*\/(\$\w+)$/.exec(String(control(item, 'context') ?? '')) ?? [];
  if (of !== undefined && of !== set.name)
    throw new Error(`The service sends changes of ${of} with those of ${set.name}: copy it without --expand.`);
  const form = Object.hasOwn(contexts, end) ? contexts[end] : undefined;
  if (form !== undefined) return { kind: form.kind, item, key: addressKey(set, String(item[form.member])) };
  const id = control(item, 'id');
  const hasKey = set.key.every(({ name }) => item[name] !== undefined);
  const key = !hasKey && typeof id === 'string' ? addressKey(set, id) : keyOf(set, item);
  if (control(item, 'removed') !== undefined) return { kind: 'removed', item, key };
  // Changes within related records are not applied one by one.
  const isUnclear = !hasKey || Object.keys(item).some((name) => /@(odata\.)?delta$/.test(name));
  return { kind: isUnclear ? 'unclear' : 'record', item, key };
}
