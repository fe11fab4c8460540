import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { explainPath, type Explanation, type Origin } from '../emit/origins.js';
import { readModel } from '../generate.js';
import { ownershipOf } from '../output/header.js';
import { lockPath, parseLock } from '../output/lock.js';
import { exitCodes } from './exit-codes.js';
import { openModel, type ModelChoice } from './open-model.js';

interface ExplainOptions extends ModelChoice {
  readonly json: boolean;
}

/** Prints the lines of the model that a generated file, or one line of it, comes from. */
export function explain(options: ExplainOptions, asked: string): number {
  const { model, output, json } = options;
  const { file, line, mistake } = askedPlace(asked);
  if (mistake !== undefined) return refuse(mistake);
  const path = pathWithin(output, file);
  if (isOutside(output, file) && existsSync(file)) {
    return refuse(`${file} is outside of ${output}, so it is yours: no run changes it.`);
  }
  const opened = openModel(options);
  const { graph, sources } = readModel(opened.source, opened.options);
  const explanation = explainPath(path, graph);
  if (explanation === undefined) {
    return refuse(`no element of ${model} generates ${output}/${path}; the file is yours, or its element was removed.`);
  }
  const text = readIfThere(join(output, path));
  const lines = text?.split('\n') ?? [];
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (line !== undefined && text !== undefined && (line < 1 || line > count))
    return refuse(`${output}/${path} has ${count === 1 ? 'one line' : `${count} lines`}, but no line ${line}.`);
  const origins = line === undefined ? explanation.origins : narrowed(explanation.origins, lines[line - 1] ?? '');
  const rows = origins.map(({ at, what }) => {
    const { path: of, line: row, column } = sources.locate(at);
    return { file: of, line: row, column, what };
  });
  const state = stateOf(output, path, text);
  if (json) process.stdout.write(`${JSON.stringify({ path, class: classOf(path), state, emitter: explanation.emitter, origins: rows })}\n`);
  else process.stdout.write(printRows(output, path, state, explanation, rows));
  return exitCodes.ok;
}

interface AskedPlace {
  readonly file: string;
  readonly line?: number;
  readonly mistake?: string;
}

// A colon may be part of an existing file's name.
function askedPlace(asked: string): AskedPlace {
  const [, file = asked, behind] = /^(.+):([^:/\\]*)$/s.exec(asked) ?? [];
  if (behind === undefined || existsSync(asked)) return { file: asked };
  return /^\d{1,9}$/.test(behind)
    ? { file, line: Number(behind) }
    : { file, mistake: `'${behind}' is not a line; write --explain FILE:LINE with a number, such as ${file}:12.` };
}

function refuse(problem: string): number {
  process.stderr.write(`gable generate: ${problem}\n`);
  return exitCodes.badInput;
}

// A path may be relative to the output as well.
function pathWithin(output: string, file: string): string {
  return isOutside(output, file) ? file : relative(resolve(output), resolve(file)).split(sep).join('/');
}

function isOutside(output: string, file: string): boolean {
  return relative(resolve(output), resolve(file)).startsWith('..');
}

// A line of a table names its element; a line without a name comes from all elements.
function narrowed(origins: readonly Origin[], line: string): readonly Origin[] {
  const words = new Set(line.match(/[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*/gu) ?? []);
  const named = origins.filter(({ name }) => words.has(name));
  return named.length === 0 ? origins : named;
}

type FileClass = 'ours' | 'created once';

const classes: Readonly<Record<FileClass, string>> = {
  ours: 'generated: rewritten by every run',
  'created once': 'created once: now yours',
};

function classOf(path: string): FileClass {
  return path.startsWith('migrations/') && path.endsWith('.sql') ? 'created once' : 'ours';
}

function stateOf(output: string, path: string, text: string | undefined): string {
  if (text === undefined) return 'not written yet';
  if (classOf(path) === 'created once') return 'written; no run changes it';
  const ownership = ownershipOf(path, text, parseLock(readIfThere(join(output, lockPath))));
  return ownership === 'generated'
    ? 'as generated'
    : ownership === 'edited'
      ? 'edited by hand, so the next run stops'
      : 'not written by gable, so the next run stops';
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function printRows(
  output: string,
  path: string,
  state: string,
  { emitter }: Explanation,
  rows: readonly { readonly file: string; readonly line: number; readonly column: number; readonly what: string }[],
): string {
  const places = rows.map(({ file, line, column }) => `${file}:${line}:${column}`);
  const width = Math.max(0, ...places.map(({ length }) => length));
  const lines = rows.map(({ what }, index) => `  ${(places[index] ?? '').padEnd(width)}  ${what}`);
  return [
    `${output}/${path}`,
    `  class    ${classes[classOf(path)]}`,
    `  state    ${state}`,
    `  generated by  generator/emit/${emitter}.ts, from`,
    ...lines,
    '',
  ].join('\n');
}
