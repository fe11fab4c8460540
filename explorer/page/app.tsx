import { computed, signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { Copy } from './copy.js';
import { Editor, focusEditor } from './editor.js';
import { Form } from './form.js';
import { lazy } from './lazy.js';
import { Mistake } from './mistake.js';
import { notice } from './notice.js';
import { Past } from './past.js';
import { Record } from './record.js';
import { announcement, Results } from './results.js';
import { isSigningIn, SignIn } from './sign-in.js';
import { drafting, opened, run, running, settledText, start, tables, token } from './state.js';
import { Tabs } from './tabs.js';
import { Tree } from './tree.js';

/** The panes beside the query that are shown one at a time. */
const pane = signal<'text' | 'form' | 'copy' | 'past' | 'plan'>('text');
const isTreeShown = signal(matchMedia('(min-width: 900px)').matches);

function App() {
  useEffect(() => {
    void start();
    addEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Header />
      <main class={`panes${isTreeShown.value ? '' : ' no-tree'}`}>
        {isTreeShown.value && <Tree />}
        <section class="work" aria-label="Query and result">
          <QueryPane />
          <Results />
        </section>
        {drafting.value ? <Draft /> : opened.value && <Record />}
      </main>
      {[announcement, notice].map((said, index) => (
        <p key={index} class="unseen" role="status">
          {said}
        </p>
      ))}
      {(tables.value === undefined || isSigningIn.value) && <SignIn onDone={() => (isSigningIn.value = false)} />}
    </>
  );
}

function Header() {
  const scopes = tables.value?.scopes ?? [];
  return (
    <header>
      <button
        type="button"
        class="plain"
        aria-label="Model"
        aria-pressed={isTreeShown.value}
        onClick={() => (isTreeShown.value = !isTreeShown.value)}
      >
        ☰
      </button>
      <h1>Explorer</h1>
      <nav>
        <a href="../docs/" target="docs">
          Documentation
        </a>
      </nav>
      <span class="grow" />
      <button type="button" class="plain" title={scopes.join('\n')} onClick={() => (isSigningIn.value = true)}>
        {callerText(scopes.length)}
      </button>
    </header>
  );
}

function callerText(scopes: number): string {
  if (token.value !== undefined) return `Signed in, ${scopes} ${scopes === 1 ? 'scope' : 'scopes'}`;
  return tables.value ? 'No token needed' : 'Sign in';
}

const panes = [
  ['text', 'Text', 'Alt+1'],
  ['form', 'Form', 'Alt+2'],
  ['copy', 'Copy as', 'Alt+3'],
  ['past', 'History', 'Alt+4'],
  ['plan', 'Plan', 'Alt+5'],
] as const;

/** The panes that the caller may see. */
const shownPanes = computed(() => panes.filter(([name]) => name !== 'plan' || tables.value?.explains));

const Draft = lazy(() => import('./draft.js').then((module) => module.Draft));
const Plan = lazy(() => import('./plan.js').then((module) => module.Plan));

function QueryPane() {
  return (
    <div class="query">
      <div class="bar">
        <Tabs label="Query" tabs={shownPanes.value} chosen={pane.value} onChoose={(name) => void choosePane(name)} />
        <span class="grow" />
        <button type="button" class="run" title="Ctrl+Enter" aria-keyshortcuts="Control+Enter" onClick={() => void run()}>
          {running.value ? 'Running…' : 'Run'}
        </button>
      </div>
      <div class="pane" role="tabpanel" aria-label="Query" tabIndex={-1}>
        <div hidden={pane.value !== 'text'} class="fill">
          <Editor />
          <Mistake />
        </div>
        {pane.value === 'form' && <Form />}
        {pane.value === 'copy' && <Copy />}
        {pane.value === 'plan' && tables.value?.explains && <Plan />}
        {pane.value === 'past' && <Past onChoose={() => void choosePane('text').then(focusPane)} />}
      </div>
    </div>
  );
}

// The text is shown when the last change of the form is in it.
async function choosePane(name: typeof pane.value): Promise<void> {
  await settledText();
  pane.value = name;
}

// A key hides what has the focus: the pane that is shown takes it.
function focusPane(): void {
  if (pane.value === 'text') focusEditor();
  else document.querySelector<HTMLElement>('.pane')?.focus();
}

function onKey(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) runFrom(document.activeElement);
  else if (event.key === 'Escape' && !event.defaultPrevented && !isSigningIn.value) [opened.value, drafting.value] = [undefined, false];
  const found = event.altKey ? shownPanes.value.find(([, , key]) => event.code === key.replace('Alt+', 'Digit')) : undefined;
  if (found) {
    void choosePane(found[0]).then(focusPane);
    event.preventDefault();
  }
}

// A field of the form reports its change when it is left.
function runFrom(field: Element | null): void {
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
    field.blur();
    field.focus();
  }
  void run();
}

const place = document.querySelector('#app');
if (place) render(<App />, place);
