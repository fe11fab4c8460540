import { computed, signal } from '@preact/signals';
import { lazy } from './lazy.js';
import { Bars, canBar } from './bars.js';
import { focusRecords } from './panel.js';
import { Table } from './table.js';
import { changed, follow, following } from './follow.js';
import { save, saving } from './save.js';
import { isSigningIn } from './sign-in.js';
import { Tabs } from './tabs.js';
import { mayWrite } from './writing.js';
import { collectionOf } from './address.js';
import { answer, drafting, failure, nextLink, opened, ran, readNext, rows, rowType, running } from './state.js';
import { type Answer, messageOf } from './service.js';
import { findPoint } from './points.js';

const Places = lazy(() => import('./map.js').then((module) => module.Places));

type View = 'table' | 'json' | 'map' | 'bars';
const chosen = signal<View>('table');

/** The views that suit the answer. */
const views = computed<readonly (readonly [View, string])[]>(() => [
  ['table', 'Table'],
  ['json', 'JSON'],
  ...(rows.value.some((row) => findPoint(row)) ? [['map', 'Map'] as const] : []),
  ...(/[?&]\$apply=/.test(answer.value?.address ?? '') && canBar(rows.value) ? [['bars', 'Bars'] as const] : []),
]);

/** The answer: records as a table, JSON, map or bars, with its facts. */
export function Results() {
  const got = answer.value;
  const view = views.value.some(([name]) => name === chosen.value) ? chosen.value : 'table';
  if (failure.value !== undefined)
    return (
      <p class="error pad" role="alert">
        {failure.value}
      </p>
    );
  if (!got)
    return running.value ? (
      <p class="empty">Running…</p>
    ) : (
      <p class="empty">
        Run, or <kbd>Ctrl</kbd> <kbd>Enter</kbd>, reads the records. A click on one, or <kbd>Enter</kbd>, opens it; the fields under ☰ are
        added to the query.
      </p>
    );
  const message = messageOf(got.body);
  return (
    <div class="results">
      <div class="bar">
        <Tabs label="Result" tabs={views.value} chosen={view} onChoose={(name) => (chosen.value = name)} />
        <span class="grow" />
        <Facts />
      </div>
      <div class="view" role="tabpanel" aria-label="Result" aria-busy={running.value !== undefined}>
        {message !== undefined && view !== 'json' ? <Refused message={message} /> : <Shown view={view} />}
      </div>
    </div>
  );
}

// The page of errors explains the code, where the documentation is served.
function Refused({ message }: { readonly message: string }) {
  const { error } = (answer.value?.body ?? {}) as {
    readonly error?: { readonly code: string; readonly innererror?: { readonly help?: string } };
  };
  const help = error?.innererror?.help;
  return (
    <p class="error pad" role="alert">
      {message}{' '}
      {help !== undefined && (
        <a href={help} target="docs">
          {error?.code}
        </a>
      )}{' '}
      {answer.value?.status === 401 && (
        <button type="button" onClick={() => (isSigningIn.value = true)}>
          Sign in
        </button>
      )}
    </p>
  );
}

function Shown({ view }: { readonly view: View }) {
  // Counts, raw values and files are no JSON.
  if (isPlain(answer.value))
    return (
      <pre class="json" tabIndex={0}>
        {excerpt((text) => text)}
      </pre>
    );
  switch (view) {
    case 'json':
      return (
        <pre class="json" tabIndex={0}>
          {excerpt(pretty)}
        </pre>
      );
    case 'map':
      return <Places rows={rows.value} onOpen={(row) => (opened.value = row)} />;
    case 'bars':
      return <Bars rows={rows.value} />;
    default:
      return <Table rows={rows.value} marked={changed.value} onOpen={(row) => (opened.value = row)} onEnd={() => void readNext()} />;
  }
}

function isPlain(got: Answer | undefined): boolean {
  return typeof got?.body !== 'object' && got?.text !== '';
}

/** The characters of an answer that are shown as text; a page of many megabytes would not answer for minutes. */
const mostShown = 500_000;

function excerpt(print: (text: string) => string): string {
  const text = answer.value?.text ?? '';
  const rest = text.length - mostShown;
  return rest > 0 ? `${print(text.slice(0, mostShown))}\n\n… and ${bytes(rest)} more.` : print(text);
}

// Indented line by line, so that numbers keep the digits that the service sent.
function pretty(text: string): string {
  let depth = 0;
  return text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],]|:/g, (part, at: number) => {
    if (part === '{' || part === '[') return /^\s*[}\]]/.test(text.slice(at + 1, at + 3)) ? part : `${part}\n${'  '.repeat(++depth)}`;
    if (part === '}' || part === ']')
      return /[{[]\s*$/.test(text.slice(Math.max(0, at - 2), at)) ? part : `\n${'  '.repeat(--depth)}${part}`;
    if (part === ',') return `,\n${'  '.repeat(depth)}`;
    return part === ':' ? ': ' : part;
  });
}

/** The number of records of the answer, if it has records. */
const rowsText = computed(() => {
  const got = answer.value;
  if (!got || isPlain(got) || got.status >= 400) return '';
  const count = (got.body as { readonly '@odata.count'?: number } | undefined)?.['@odata.count'];
  const all = count === undefined ? '' : `of ${count} `;
  return `${rows.value.length} ${all}${(count ?? rows.value.length) === 1 ? 'row' : 'rows'}`;
});

/** The state of the request, for screen readers; failures and refusals are alerts. */
export const announcement = computed(() => (running.value ? 'Running' : failure.value === undefined ? rowsText.value : ''));

function Facts() {
  const got = answer.value;
  if (!got) return null;
  const isCollection = got.status < 400 && ran.value?.kind === 'collection';
  const facts = [
    ['status', `${got.status}`, 'Status'],
    ['rows', rowsText.value, 'Rows'],
    ['time', `${Math.round(got.milliseconds)} ms`, got.headers.get('server-timing') ?? 'Time'],
    ['size', bytes(got.text.length), 'Size'],
  ] as const;
  return (
    <>
      {facts.map(([name, text, title]) => (
        <span class={`fact ${name}`} key={name} title={title}>
          {text}
        </span>
      ))}
      <span class="fact id" title="Request id">
        {got.headers.get('x-request-id')?.slice(0, 8)}
      </span>
      {isCollection && (
        <button type="button" aria-pressed={following.value !== undefined} title="Show changes as they come" onClick={() => void follow()}>
          {following.value ? 'Following' : 'Follow'}
        </button>
      )}
      {isCollection && rows.value.length > 0 && <Save />}
      {isCollection && rowType.value && collectionOf(rowType.value, ran.value) !== undefined && mayWrite(rowType.value, 'insert') && (
        <button type="button" title="Create a record" onClick={() => (drafting.value = true)}>
          New
        </button>
      )}
      {nextLink.value !== undefined && (
        <button type="button" onClick={() => void readNext().then(() => setTimeout(focusRecords))}>
          More
        </button>
      )}
    </>
  );
}

function Save() {
  return (
    <button type="button" title="Save the records of the query as a file for Excel" onClick={() => void save()}>
      {saving.value ? 'Saving…' : 'CSV'}
    </button>
  );
}

function bytes(length: number): string {
  return length < 1024 ? `${length} B` : `${(length / 1024).toFixed(1)} kB`;
}
