import { signal } from '@preact/signals';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import { addressOf } from './address.js';
import { messageOf, send } from './service.js';
import { answer, failure, ran, type Row, rows, rowsOf, rowType, token } from './state.js';

/** The reading of changes that is under way. */
export const following = signal<AbortController | undefined>(undefined);
/** The records that the last change is about. */
export const changed = signal<ReadonlySet<Row>>(new Set());

const mostRows = 5_000;
const wait = 20;
const pause = 1_000;

/** Reads the query of the answer with its changes, which are shown as they come, until it is called again or another query is run. */
export async function follow(): Promise<void> {
  const running = following.value;
  running?.abort();
  following.value = undefined;
  if (running) return;
  const controller = new AbortController();
  following.value = controller;
  try {
    await readChanges(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) failure.value = `The changes cannot be followed: ${(error as Error).message}`;
  } finally {
    if (following.value === controller) following.value = undefined;
  }
}

async function readChanges(stop: AbortSignal): Promise<void> {
  const address = ran.value?.address ?? '/';
  let link: string | undefined = address;
  let shown: typeof answer.value;
  // Another query that is run ends it.
  const isOver = (): boolean => stop.aborted || (shown !== undefined && answer.value !== shown);
  while (link !== undefined && !isOver()) {
    const isDelta: boolean = /deltatoken/.test(link);
    const prefer = isDelta ? `track-changes, wait=${wait}` : 'track-changes';
    const got = await send(link, { token: token.value, headers: { Prefer: prefer }, signal: stop });
    if (got.status >= 400) throw new Error(messageOf(got.body) ?? String(got.status));
    if (isOver()) return;
    if (isDelta) merge(rowsOf(got.body), rowType.value);
    else {
      rows.value = shown === undefined ? rowsOf(got.body) : [...rows.value, ...rowsOf(got.body)];
      shown = { ...got, address };
      answer.value = shown;
    }
    link = nextOf(got.body, rows.value.length);
    if (isDelta) await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function nextOf(body: unknown, length: number): string | undefined {
  const links = body as { readonly '@odata.nextLink'?: string; readonly '@odata.deltaLink'?: string };
  const next = links['@odata.deltaLink'] ?? (length < mostRows ? links['@odata.nextLink'] : undefined);
  if (next === undefined)
    throw new Error(length < mostRows ? 'the service does not track them' : `there are more than ${mostRows} records`);
  return next;
}

// A changed record takes the place of the one with its key, a new one comes first, and a removed one goes.
function merge(changes: readonly Row[], type: EntityType | undefined): void {
  if (changes.length === 0) return;
  const news = new Map(changes.map((row) => [keyOf(row, type), row]));
  const known = rows.value.flatMap((row) => {
    const key = keyOf(row, type);
    const change = news.get(key);
    news.delete(key);
    if (change === undefined) return [row];
    return isRemoved(change) ? [] : [change];
  });
  rows.value = [...[...news.values()].filter((row) => !isRemoved(row)), ...known];
  changed.value = new Set(changes);
}

function isRemoved(row: Row): boolean {
  return '@odata.removed' in row || '@removed' in row;
}

function keyOf(row: Row, type: EntityType | undefined): string {
  const id = row['@odata.id'] ?? row['@id'];
  return (type && addressOf(row, type, ran.value)) ?? (typeof id === 'string' ? id : JSON.stringify(row));
}
