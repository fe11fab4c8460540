import { unchanged } from './changed-records.js';
import { pagesAt, settleKeys } from './read-records.js';
import type { SetCopy } from './set-copy.js';
import { recordsAddress } from './set-query.js';
import type { SetState } from './target.js';
import { tracking, wayNamed, ways, type Way } from './ways.js';

/** Copies what is new since the last time: all records at first, then their changes. */
export async function copySet(copy: SetCopy): Promise<void> {
  if (copy.state.phase === 'following') await wayNamed(copy.state.way)?.follow(copy);
  if (copy.state.phase === 'reading') await readAll(copy);
  if (copy.state.phase === 'sweeping') await sweep(copy);
  if (!copy.isResumed) return;
  // Records that a former run read may have changed before this one.
  copy.isResumed = false;
  await copySet(copy);
}

async function readAll(copy: SetCopy): Promise<void> {
  const { set, options, state, report } = copy;
  // The marks precede the first page, so that changes while pages are read come again. They are stored with it: a query that
  // the service refuses leaves the former copy as it was.
  const marks = state.link === undefined ? await marksOf(copy) : state.marks;
  const first = state.link ?? recordsAddress(set, { count: true });
  const wantsDelta = options.way === undefined || options.way === 'delta';
  let [done, total] = [0, undefined as number | undefined];
  for await (const { records, count, next, delta } of pagesAt(copy, first, wantsDelta ? tracking : undefined)) {
    const link = wantsDelta ? delta : undefined;
    const after = next === undefined ? ({ phase: 'sweeping', way: chosen(copy, marks, link).name, link } as const) : { link: next };
    await copy.save({ records: records as Parameters<typeof copy.save>[0]['records'], removed: [] }, { marks, ...after });
    total ??= count;
    report.read(set.name, (done += records.length), total);
  }
}

async function marksOf(copy: SetCopy): Promise<NonNullable<SetState['marks']>> {
  const wanted = ways.filter(({ name }) => copy.options.way === undefined || copy.options.way === name);
  const marks: [string, string | undefined][] = [];
  for (const { name, mark } of wanted) marks.push([name, await mark(copy)]);
  return Object.fromEntries(marks);
}

function chosen({ set, options }: SetCopy, marks: SetState['marks'], delta: string | undefined): Way {
  const found = ways.find(({ name }) => (name === 'delta' ? delta : marks?.[name]) !== undefined);
  if (found) return found;
  throw new Error(`The service does not offer the way '${options.way}' for ${set.name}; omit --way to use the best that it offers.`);
}

// Records that the round did not see are gone, unless a page was missed.
async function sweep(copy: SetCopy): Promise<void> {
  await settleKeys(copy, await copy.keys(true));
  await copy.save(unchanged, { phase: 'following' });
}
