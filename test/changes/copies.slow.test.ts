// Depends on PostgreSQL: SQL.

import test from 'ava';
import { fc } from '../support/fast-check.js';
import type { EntityType } from '../../runtime/edm/index.js';
import type { CopiedSet } from '../../replicate/copied-set.js';
import { addressKey } from '../../replicate/key.js';
import { createRandom, type Random } from '../permission/random.js';
import { collectionOptions } from '../support/requests/options.js';
import type { RandomRequest } from '../support/requests/random-request.js';
import type { Subject } from '../support/requests/subject.js';
import { copiedModels, type CopiedModel } from './copied-models.js';
import { copyOf, freshly, type Copy, type Entry } from './copy.js';

/** `COPY_RUNS=100` looks for longer. */
const runs = Number(process.env['COPY_RUNS'] ?? 6);
const queriesPerCaller = 6;

// Requests are drawn by seeds, so that a failing run shrinks to its fewest writes.
const seeds = fc.record({
  queries: fc.integer({ min: 0, max: 1e9 }),
  rounds: fc.array(fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
  pageSize: fc.integer({ min: 1, max: 4 }),
});

for (const [name, start] of Object.entries(copiedModels)) {
  test.serial(`a copy that only applies delta pages equals a fresh read, whoever asks and whatever changes: ${name}`, async (t) => {
    t.timeout(120_000 + 30_000 * runs);
    const model = await start();
    t.teardown(() => model.service.stop());
    const counts = { followed: 0, changed: 0, writes: 0 };
    await fc.assert(
      fc.asyncProperty(seeds, async ({ queries, rounds, pageSize }) => {
        await model.reset();
        const copies = await startCopies(model, createRandom(queries), pageSize);
        const visible = new Set(await visibleKeys(model));
        let isSeen = true;
        for (const round of rounds) {
          for (const seed of round) {
            const request = model.write(createRandom(seed));
            counts.writes += await send(model, request);
            // Within such a request a record may be visible for a moment.
            isSeen &&= !/^.$batch/.test(request.path) && !/"value":\[/.test(request.body ?? '');
            for (const key of await visibleKeys(model)) visible.add(key);
          }
          for (const copy of copies) counts.changed += await check(copy, isSeen ? visible : undefined);
        }
        counts.followed += copies.length;
      }),
      { numRuns: runs, includeErrorInReport: true, ...seedOf(process.env['COPY_SEED']) },
    );
    t.log(`${counts.followed} copies, ${counts.writes} successful writes, ${counts.changed} changes`);
    t.true(counts.followed > 3 * runs && counts.writes > runs && counts.changed > runs);
  });
}

function seedOf(text: string | undefined): { readonly seed?: number } {
  return text === undefined ? {} : { seed: Number(text) };
}

interface Followed {
  readonly caller: string;
  readonly token: string;
  readonly url: string;
  readonly type: EntityType;
  readonly copy: Copy;
}

async function startCopies(model: CopiedModel, random: Random, pageSize: number): Promise<readonly Followed[]> {
  const { service, subject, callers } = model;
  const found: Followed[] = [];
  for (const caller of callers) {
    const token = await service.token(caller);
    for (let count = 0; count < queriesPerCaller; count += 1) {
      const type = random.pick(trackedTypes(subject));
      const url = `${service.root}/${type.entitySet}?${queryOf(type, random, subject)}`;
      const copy = await copyOf(url, token, keyIn(type), pageSize);
      if (copy !== undefined) found.push({ caller, token, url, type, copy });
    }
  }
  return found;
}

function trackedTypes({ types }: Subject): readonly EntityType[] {
  return types.filter(({ entitySet, tracking }) => entitySet !== undefined && tracking !== undefined);
}

// A link is of all records of the query, so windows have no part in it.
function queryOf(type: EntityType, random: Random, subject: Subject): string {
  const options = collectionOptions(type, random, subject).split('&');
  return options.filter((option) => /^\$(filter|select|expand|orderby|search|count)=/.test(option)).join('&');
}

function keyIn(type: EntityType): (entry: Entry) => string {
  const set = { name: type.entitySet, key: type.key.map((name) => ({ name })) } as unknown as CopiedSet;
  return (entry) => {
    const values = type.key.map((name) => entry[name]);
    const isWhole = values.every((value) => value !== undefined);
    return `${type.entitySet} ${(isWhole ? values : addressKey(set, String(entry['@odata.id']))).map(String).join(' ')}`;
  };
}

async function check({ caller, token, url, type, copy }: Followed, visible: ReadonlySet<string> | undefined): Promise<number> {
  const entries = await copy.follow();
  const fresh = await freshly(url, token, keyIn(type));
  if (fresh === undefined) throw new Error(`${caller} ${url} is refused, its link is not`);
  const differing = [...new Set([...fresh.keys(), ...copy.records().keys()])].filter((key) => fresh.get(key) !== copy.records().get(key));
  const shown = differing.map((key) => `${key} is ${fresh.get(key)}, the copy has ${copy.records().get(key)}`);
  if (differing.length > 0) throw new Error(`${caller} ${decodeURIComponent(url)}: ${shown.join('; ')}`);
  const hidden = entries.filter((key) => visible?.has(`${caller} ${key}`) === false);
  if (hidden.length > 0) throw new Error(`${caller} ${url} tells of hidden records: ${hidden.join(', ')}`);
  if (new Set(entries).size < entries.length) throw new Error(`${url} has a record twice: ${entries.join(', ')}`);
  return entries.length;
}

/** The records that each caller sees now. */
async function visibleKeys({ service, subject, callers }: CopiedModel): Promise<readonly string[]> {
  const types = new Set(trackedTypes(subject));
  const all = callers.flatMap((caller) =>
    [...types].map(async (type) => {
      const found = await freshly(`${service.root}/${type.entitySet}`, await service.token(caller), keyIn(type));
      return [...(found?.keys() ?? [])].map((key) => `${caller} ${key}`);
    }),
  );
  return (await Promise.all(all)).flat();
}

/** Returns 1 for a write that succeeds. */
async function send({ service, writer }: CopiedModel, { method, path, headers, body }: RandomRequest): Promise<number> {
  const response = await fetch(`${service.root}${path}`, {
    method,
    headers: { ...headers, Authorization: `Bearer ${await service.token(writer)}` },
    ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
  });
  const text = await response.text();
  if (response.status >= 500 && response.status !== 501) throw new Error(`${method} ${path} ${body} is ${response.status}: ${text}`);
  return response.ok ? 1 : 0;
}
