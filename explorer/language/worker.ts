import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { checkRequest, type Finding } from './check.js';
import { complete } from './complete.js';
import { describe, type Described } from './describe.js';
import { printForm, type QueryForm } from './form.js';
import type { Completion } from './items.js';
import { placeOf, readText, toRequest } from './request-text.js';

/** A finding with its place in the text. */
export interface Mark extends Finding {
  readonly from: number;
  readonly to: number;
}

/** The questions that the page asks the worker, each with its answer. */
export interface Questions {
  readonly tables: { readonly ask: ShownTables; readonly answer: undefined };
  readonly check: { readonly ask: string; readonly answer: { readonly marks: readonly Mark[]; readonly described: Described } };
  readonly complete: { readonly ask: { readonly text: string; readonly at: number }; readonly answer: Completion };
  readonly print: { readonly ask: { readonly text: string; readonly form: QueryForm }; readonly answer: string };
}

let tables: ShownTables | undefined;

const answers: { readonly [Name in keyof Questions]: (ask: Questions[Name]['ask']) => Questions[Name]['answer'] } = {
  tables: (given) => void (tables = given),
  check: (text) => {
    const read = readText(text);
    if (tables === undefined) return { marks: [], described: describe(read, undefined, undefined) };
    const checked = checkRequest(toRequest(read), tables);
    const marks = checked.findings.map((finding) => ({ ...finding, ...placeOf(finding.position, read) }));
    return { marks, described: describe(read, checked, tables) };
  },
  complete: ({ text, at }) => (tables === undefined ? { from: at, items: [] } : complete(text, at, tables)),
  print: ({ text, form }) => printForm(text, form),
};

addEventListener('message', ({ data }: MessageEvent<{ id: number; name: keyof Questions; ask: never }>) => {
  try {
    postMessage({ id: data.id, answer: answers[data.name](data.ask) });
  } catch (error) {
    postMessage({ id: data.id, failure: String(error) });
  }
});
