import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { ODataError } from '../../runtime/errors/odata-error.js';

/** One paragraph of a case file: comment lines, the input, and what came of it by key. */
interface Case {
  readonly comments: readonly string[];
  readonly input: string;
  readonly results: ReadonlyMap<string, string>;
}

/** Produces the text for one key of a case, or nothing; an ODataError becomes the key `error` and ends the stages. */
type Producer = (input: string) => string | undefined | Promise<string | undefined>;

/** The stages of a case in their order. A key of the file that none of them makes is wrong, since nothing would ever look at it. */
export type Producers = Readonly<Record<string, Producer>>;

/** `mark` puts a mark under the position that a message names, for inputs that positions count in. */
interface CaseOptions {
  readonly mark?: boolean;
}

/** The paragraphs of a case file, a path below `test/`. */
function readCases(file: string): readonly Case[] {
  return readFileSync(pathOf(file), 'utf8')
    .split(/\n{2,}/)
    .filter((text) => text.trim() !== '')
    .map(parseCase);
}

/** Runs every case of a file and compares; with UPDATE=1 the file is written anew instead. */
export async function checkCases(t: ExecutionContext, file: string, producers: Producers, options: CaseOptions = {}): Promise<void> {
  const cases = readCases(file);
  const actual = await Promise.all(cases.map((each) => runCase(each, producers, options)));
  if (process.env['UPDATE'] === '1') {
    writeFileSync(pathOf(file), `${actual.map(printCase).join('\n\n')}\n`);
    t.pass();
    return;
  }
  const wrong = cases.flatMap((expected, index) => {
    const [was, is] = [printCase(expected), printCase(actual[index] ?? expected)];
    return was === is ? [] : [{ was, is }];
  });
  t.is(wrong.map(({ is }) => is).join('\n\n'), wrong.map(({ was }) => was).join('\n\n'), basename(file));
}

function pathOf(file: string): string {
  return join(process.cwd(), 'test', file);
}

function parseCase(text: string): Case {
  const lines = text.split('\n').filter((line) => line !== '');
  const comments = lines.filter((line) => line.startsWith('#'));
  const input = lines.filter((line) => !/^(#|\s)/.test(line)).join('\n');
  return { comments, input: unquoted(input), results: parseResults(lines.filter((line) => line.startsWith(' '))) };
}

// Text with control characters or spaces at its ends is written as a JSON string.
function unquoted(text: string): string {
  return /^".*"$/.test(text) ? (JSON.parse(text) as string) : text;
}

function quoted(text: string): string {
  return /^[\s"#]|^$|\s$|[^\P{Cc}]/u.test(text) ? JSON.stringify(text) : text;
}

function parseResults(lines: readonly string[]): Map<string, string> {
  const results = new Map<string, string>();
  let key = '';
  for (const line of lines) {
    const [, name, value] = /^ {2}([\w-]+) *(.*)$/.exec(line) ?? [];
    if (name === undefined) results.set(key, `${results.get(key) ?? ''}\n${line.slice(width(key))}`);
    else results.set((key = name), line.slice(width(name)) || (value ?? ''));
  }
  return results;
}

function printCase({ comments, input, results }: Case): string {
  const shown = [...results].map(([key, value]) => {
    const indented = value.split('\n').join(`\n${' '.repeat(width(key))}`);
    return `  ${key.padEnd(width(key) - 2)}${indented}`.trimEnd();
  });
  return [...comments, quoted(input), ...shown].join('\n');
}

function width(key: string): number {
  return 2 + Math.max(7, key.length + 1);
}

async function runCase(each: Case, producers: Producers, options: CaseOptions): Promise<Case> {
  const produced = await produce(each.input, producers, options);
  const results = new Map<string, string>();
  for (const key of each.results.keys()) {
    const value = produced.get(key);
    if (value !== undefined) results.set(key, value);
  }
  for (const [key, value] of produced) results.set(key, value);
  return { ...each, results };
}

async function produce(input: string, producers: Producers, options: CaseOptions): Promise<Map<string, string>> {
  const produced = new Map<string, string>();
  try {
    for (const [key, producer] of Object.entries(producers)) {
      const value = await producer(input);
      if (value !== undefined) produced.set(key, value);
    }
  } catch (error) {
    if (!(error instanceof ODataError)) throw error;
    produced.set('error', `${error.code}: ${error.message}${options.mark ? mark(error, input) : ''}`);
  }
  return produced;
}

function mark({ message }: ODataError, input: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined || input.includes('\n') || input.trim() === '') return '';
  return `\n${input}\n${' '.repeat(Number(position) - 1)}^`;
}
