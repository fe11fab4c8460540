import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type CompletionContext,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Item } from '../language/items.js';
import { fromPasted } from '../language/request-text.js';
import { ask } from './ask.js';
import { fixOf } from './fix.js';
import { lookupValues } from './lookup.js';
import { rootPaths } from './service.js';
import { marks, run, setText, tables, text } from './state.js';

/** The query as text. The editor stands in a shadow root, where its style sheets are adopted and no policy is broken. */
export function Editor() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return undefined;
    const shadow = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const view = new EditorView({ parent: shadow, root: shadow, state: EditorState.create({ doc: text.value, extensions }) });
    const stopText = effect(() => void showText(view, text.value));
    const stopMarks = effect(() => showMarks(view));
    // Whoever has signed in writes next.
    const stopFocus = effect(() => void (tables.value && setTimeout(() => view.focus())));
    return () => {
      stopText();
      stopMarks();
      stopFocus();
      view.destroy();
    };
  }, []);
  return <div class="editor" ref={host} />;
}

/** Lets the query be written on. */
export function focusEditor(): void {
  document.querySelector('.editor')?.shadowRoot?.querySelector<HTMLElement>('.cm-content')?.focus();
}

function showText(view: EditorView, next: string): void {
  const now = view.state.doc.toString();
  if (now !== next) view.dispatch({ changes: { from: 0, to: now.length, insert: next }, selection: { anchor: next.length } });
}

function showMarks(view: EditorView): void {
  const length = view.state.doc.length;
  const diagnostics = marks.value.map((mark): Diagnostic => {
    const fix = fixOf(mark);
    return {
      from: Math.min(mark.from, length),
      to: Math.min(mark.to, length),
      severity: mark.severity,
      message: [mark.message, ...(mark.details ?? [])].join('\n'),
      source: mark.code,
      ...(fix !== undefined && {
        actions: [{ name: `Write ${fix}`, apply: (target, from, to) => target.dispatch({ changes: { from, to, insert: fix } }) }],
      }),
    };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

const language = StreamLanguage.define({
  token: (stream) => {
    if (stream.sol() && stream.match(/\s*#.*/)) return 'comment';
    if (stream.match(/(?:GET|POST)(?=\s)/)) return 'keyword';
    if (stream.match(/[$@][\w.]+(?==)/)) return 'heading';
    if (stream.match(/'(?:[^']|'')*'?/)) return 'string';
    if (stream.match(/\d{4}-\d\d-\d\d[\dTZ:.+-]*|\d[\d.]*/)) return 'number';
    if (stream.match(/(?:and|or|not|eq|ne|gt|ge|lt|le|in|has|add|sub|mul|div|divby|mod|asc|desc|as|with)(?=[\s(),]|$)/))
      return 'operatorKeyword';
    if (stream.match(/null|true|false/)) return 'bool';
    if (stream.match(/[\p{L}_][\p{L}\p{N}_.]*(?=\()/u)) return 'function';
    if (!stream.match(/[\p{L}_$][\p{L}\p{N}_.]*/u)) stream.next();
    return null;
  },
  tokenTable: { function: tags.function(tags.variableName), heading: tags.heading },
});

const colours = HighlightStyle.define([
  { tag: tags.heading, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.keyword, color: 'var(--muted)' },
  { tag: tags.operatorKeyword, color: 'var(--operator)' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: [tags.number, tags.bool], color: 'var(--number)' },
  { tag: tags.function(tags.variableName), color: 'var(--function)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '13.5px', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65', padding: '6px 0' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--select)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: '0 6px 24px rgb(0 0 0 / .18)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', display: 'flex', gap: '1em', justifyContent: 'space-between' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '@media (forced-colors: active)': {
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': { forcedColorAdjust: 'none' },
    '.cm-lintRange': { textDecoration: 'underline wavy' },
  },
  '.cm-completionDetail': { opacity: '.65', fontStyle: 'normal', fontFamily: 'var(--sans)' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-diagnostic': { padding: '6px 10px', maxWidth: '44em', whiteSpace: 'pre-wrap', fontFamily: 'var(--sans)' },
  '.cm-diagnosticSource': { fontSize: '11px', opacity: '.75', paddingTop: '2px' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)', borderRadius: '4px', padding: '1px 8px' },
  '.cm-matchingBracket': { backgroundColor: 'var(--select) !important' },
});

async function propose(context: CompletionContext) {
  const before = context.matchBefore(/[\p{L}\p{N}_$@'/(=, ]/u);
  if (!context.explicit && !before) return null;
  const { from, items, lookup } = await ask('complete', { text: context.state.doc.toString(), at: context.pos });
  const values = lookup === undefined ? [] : await lookupValues(lookup);
  const typed = context.state.sliceDoc(from, context.pos).replace(/^'/, '').toLowerCase();
  const listed = values.filter((label) => label.toLowerCase().includes(typed)).map((label): Item => ({ label, kind: 'value' }));
  const all = [...listed, ...items];
  if (all.length === 0) return null;
  const options = all.map(({ label, kind, detail, insert = label, more }, index) => ({
    label,
    type: kind,
    boost: -Math.min(index, 99),
    ...(detail !== undefined && { detail }),
    apply: (view: EditorView, _: unknown, start: number, end: number) => {
      view.dispatch({ changes: { from: start, to: end, insert }, selection: { anchor: start + insert.length } });
      if (more) startCompletion(view);
    },
  }));
  return { from, options, filter: false };
}

// A text over a selection is put there without the browser's own editing, which would write style attributes.
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data } = event;
  const { main } = view.state.selection;
  if (event.inputType !== 'insertText' || data === null || main.empty || view.composing) return false;
  event.preventDefault();
  const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
  return true;
}

// A whole address takes the place of the query.
function pasteAddress(event: ClipboardEvent, view: EditorView): boolean {
  const insert = fromPasted(event.clipboardData?.getData('text/plain') ?? '', rootPaths);
  if (insert === undefined) return false;
  const changes = { from: 0, to: view.state.doc.length, insert };
  view.dispatch({ changes, selection: { anchor: insert.length }, userEvent: 'input.paste' });
  return true;
}

const extensions = [
  EditorView.domEventHandlers({ beforeinput: replaceSelection, paste: pasteAddress }),
  history(),
  language,
  syntaxHighlighting(colours),
  theme,
  bracketMatching(),
  closeBrackets(),
  lintGutter(),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of(() => ({
    'aria-label': 'Query',
    'aria-invalid': `${marks.peek().some(({ severity }) => severity === 'error')}`,
  })),
  autocompletion({ override: [propose], icons: false, activateOnTypingDelay: 60, maxRenderedOptions: 60 }),
  Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (void run(), true) }])),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
  EditorView.updateListener.of(({ docChanged, state }) => {
    const now = state.doc.toString();
    if (!docChanged || now === text.peek()) return;
    setText(now);
  }),
];
