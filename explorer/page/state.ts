import { batch, computed, effect, signal } from '@preact/signals';
import { entityTypeOfSet } from '../../runtime/edm/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import type { Described } from '../language/describe.js';
import type { QueryForm } from '../language/form.js';
import { fromAddress, fromPasted, readText, toRequest } from '../language/request-text.js';
import type { Mark } from '../language/worker.js';
import { ask } from './ask.js';
import { type Answer, fetchTables, redeem, rootPaths, send } from './service.js';

/** The token is kept in memory only: a reload asks again. */
export const token = signal<string | undefined>(undefined);
/** The model as the caller may know it; undefined until the caller is known. */
export const tables = signal<ShownTables | undefined>(undefined);
/** Why the caller is not signed in; undefined while that is not known. */
export const refusal = signal<string | undefined>(undefined);

/** The query as it is written. */
export const text = signal('GET /');
/** The planner's findings about the query, with their places. */
export const marks = signal<readonly Mark[]>([]);
/** The query as it was understood. */
export const described = signal<Described>({ address: '/', kind: 'unknown' });

/** The last answer. */
export const answer = signal<Answer | undefined>(undefined);
/** Records of the answer and of the pages after it. */
export const rows = signal<readonly Row[]>([]);
/** The request that is under way. */
export const running = signal<AbortController | undefined>(undefined);
/** Why the service could not be asked. */
export const failure = signal<string | undefined>(undefined);
/** The record that is looked at. */
export const opened = signal<Row | undefined>(undefined);

/** Whether a record is being created. */
export const drafting = signal(false);

/** A record of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** The type of the records of the query, once it is known. */
export const queryType = computed<EntityType | undefined>(() => typeNamed(described.value.type));
/** The query whose answer is shown, which may be another one than that of the text. */
export const ran = signal<Described | undefined>(undefined);
/** The type of the records of the answer. */
export const rowType = computed<EntityType | undefined>(() => typeNamed(ran.value?.type));

function typeNamed(name = ''): EntityType | undefined {
  return tables.value?.container.entityTypes[name];
}

/** The address of the next page. */
export const nextLink = computed(() => {
  const link = (answer.value?.body as Row | undefined)?.['@odata.nextLink'] ?? (answer.value?.body as Row | undefined)?.['@nextLink'];
  return typeof link === 'string' ? link : undefined;
});

/** Signs in with the link's code, a token, or without one where the service asks for none. */
export async function signIn(given: string | undefined): Promise<void> {
  try {
    const found = await fetchTables(given);
    await ask('tables', found);
    batch(() => {
      token.value = given;
      tables.value = found;
      refusal.value = undefined;
      if (text.value === 'GET /') text.value = firstQuery(found);
    });
    await check();
  } catch (error) {
    refusal.value = (error as Error).message;
  }
}

// The first set whose records the caller may read, as a query that shows what there is.
function firstQuery({ container }: ShownTables): string {
  const [set] = Object.keys(container.entitySets);
  const type = set === undefined ? undefined : entityTypeOfSet(container, set);
  if (set === undefined || type === undefined) return 'GET /';
  const names = Object.keys(type.fields).slice(0, 6).join(',');
  return `GET /${set}\n$select=${names}\n$top=20`;
}

/** Reads the fragment: `#code=...` signs in, `#GET/...` is a query. */
export async function start(): Promise<void> {
  // Links of the documentation have this target: the page that they open stays signed in.
  window.name = 'explorer';
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  readFragment();
  addEventListener('hashchange', readFragment);
  effect(() => {
    if (described.value.address.length > 1) history.replaceState(undefined, '', `#GET${described.value.address}`);
  });
  if (code === undefined) return signIn(undefined);
  history.replaceState(undefined, '', location.pathname);
  try {
    await signIn(await redeem(code));
  } catch (error) {
    refusal.value = (error as Error).message;
  }
}

function readFragment(): void {
  const [, address] = /^#GET(\/.*)$/.exec(location.hash) ?? [];
  if (address !== undefined && address !== described.value.address) setText(fromAddress(address));
}

/** Replaces the query. Unless a form has made it, none is known until it is parsed: that of an earlier text must not be changed. */
export function setText(next: string, form?: QueryForm): void {
  const { form: _, ...others } = described.value;
  batch(() => {
    text.value = next;
    described.value = form === undefined ? others : { ...others, form };
  });
  void check();
}

let checks = 0;
let printing: Promise<void> = Promise.resolve();

/** Changes the query by its form, which shows the change at once; the form's next change is one of this form, not of the text before it. */
export function setForm(form: QueryForm): void {
  described.value = { ...described.value, form };
  printing = print(form);
}

async function print(form: QueryForm): Promise<void> {
  const number = ++checks;
  const printed = await ask('print', { text: text.value, form });
  if (number === checks) setText(printed, form);
}

/** The text with all changes of the form. */
export async function settledText(): Promise<string> {
  for (let last; last !== printing;) await (last = printing);
  return text.value;
}

/** Parses and plans the query; an answer that another change has overtaken is dropped. */
export async function check(): Promise<void> {
  const number = ++checks;
  const asked = text.value;
  try {
    const found = await ask('check', asked);
    if (number !== checks) return;
    batch(() => {
      marks.value = found.marks;
      described.value = found.described;
    });
  } catch (error) {
    if (number !== checks) return;
    failure.value = `The page could not check the query, the service can: ${(error as Error).message}`;
    described.value = { address: addressOfText(asked), kind: 'unknown' };
  }
}

function addressOfText(written: string): string {
  const { path, query } = toRequest(readText(written));
  return query === '' ? path : `${path}?${query}`;
}

/** Runs the query as it is written, with every change of the form; a whole address of the service becomes a query. */
export async function run(): Promise<void> {
  const [first = '', ...options] = (await settledText()).split('\n');
  const query = /^\s*(?:GET\s+)?https?:/i.test(first) ? fromPasted(first, rootPaths) : undefined;
  if (query !== undefined) setText([query, ...options].join('\n'));
  return show(addressOfText(text.value));
}

/** Runs the query of the answer again, whatever is written meanwhile; its record stays open. */
export async function runAgain(): Promise<void> {
  if (ran.value) return show(ran.value.address);
}

/** Reads the next page of the answer. */
export async function readNext(): Promise<void> {
  if (nextLink.value !== undefined && running.value === undefined) return show(nextLink.value, true);
}

async function show(address: string, isNext = false): Promise<void> {
  running.value?.abort();
  const controller = new AbortController();
  running.value = controller;
  try {
    const [got, query] = await Promise.all([
      send(address, { token: token.value, signal: controller.signal }),
      isNext ? undefined : ask('check', fromAddress(address)),
    ]);
    // Another query that was run meanwhile is the one to show.
    if (running.value !== controller) return;
    batch(() => {
      if (query && address !== ran.value?.address) [opened.value, drafting.value] = [undefined, false];
      if (query) ran.value = { ...query.described, address };
      answer.value = got;
      failure.value = undefined;
      rows.value = isNext ? [...rows.value, ...rowsOf(got.body)] : rowsOf(got.body);
    });
    if (got.status < 400 && !isNext) remember(address, got);
  } catch (error) {
    if (!controller.signal.aborted) failure.value = `The service cannot be reached: ${(error as Error).message}`;
  } finally {
    if (running.value === controller) running.value = undefined;
  }
}

/** The records of an answer; a single record is one row. */
export function rowsOf(body: unknown): readonly Row[] {
  if (typeof body !== 'object' || body === null || 'error' in body) return [];
  const { value } = body as { readonly value?: unknown };
  if (Array.isArray(value))
    return value.map((item: unknown) => (typeof item === 'object' && item !== null ? (item as Row) : { value: item }));
  return [body as Row];
}

/** A query that was run. */
export interface Past {
  readonly address: string;
  readonly at: string;
  readonly rows: number;
}

const historyKey = 'gable.explorer.history';
const mostPast = 100;

/** The queries of this browser, the last one first; they have no token. */
export const past = signal<readonly Past[]>(readHistory());

function readHistory(): readonly Past[] {
  try {
    return JSON.parse(localStorage.getItem(historyKey) ?? '[]') as readonly Past[];
  } catch {
    return []; // A browser may forbid storage.
  }
}

function remember(address: string, { body }: Answer): void {
  const entry = { address, at: new Date().toISOString(), rows: rowsOf(body).length };
  past.value = [entry, ...past.value.filter((one) => one.address !== address)].slice(0, mostPast);
  keepHistory();
}

/** Forgets all queries. */
export function forget(): void {
  past.value = [];
  keepHistory();
}

function keepHistory(): void {
  try {
    localStorage.setItem(historyKey, JSON.stringify(past.value));
  } catch {
    // The queries stay in memory where a browser forbids storage.
  }
}
