import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm, truncate, type FileHandle } from 'node:fs/promises';
import type { Changed } from './changed-records.js';
import type { CopiedSet } from './copied-set.js';
import { csvLine } from './csv.js';
import { keyOf, keyText, type Key, type ServiceRecord } from './key.js';
import { recordLines } from './record-line.js';

/** The stored state of a file: its valid bytes, and those before the current round. */
export interface FileState {
  readonly size: number;
  readonly roundAt: number;
  /** The bytes that the file has from the moment in which it is settled, while that is under way. */
  readonly settled?: number;
}

/** A line of a set's file. */
interface Line {
  readonly at: number;
  readonly end: number;
}

/** The NDJSON file of a set while it is open. */
export interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** The newest line of each record; held in memory. */
  readonly lines: Map<string, Line>;
  /** Whether it has all that the stored state says; otherwise it was moved or cut, and is empty now. */
  readonly isWhole: boolean;
  size: number;
  roundAt: number;
  isSettled: boolean;
  /** When the file may be settled again: settling takes a twentieth of the time at most. */
  settleFrom: number;
}

/** Opens a file. Bytes of a page whose state was not stored are cut off; a shorter file is one that was just settled, or damaged. */
export async function openFile(set: CopiedSet, path: string, stored: FileState | undefined): Promise<OpenFile> {
  const handle = await open(path, 'a+');
  const { size } = await handle.stat();
  if (size > 0 && stored === undefined) {
    await handle.close();
    throw new Error(`${path} is no copy; name another folder, or move the file away.`);
  }
  const isWhole = stored === undefined || size >= stored.size || size === stored.settled;
  const valid = isWhole ? Math.min(size, stored?.size ?? 0) : 0;
  if (size > valid) await truncate(path, valid);
  const lines = new Map<string, Line>();
  let count = 0;
  for await (const several of linesOf(path)) {
    count += several.length;
    for (const { record, at, end } of several) {
      if (isRemoval(record)) lines.delete(keyText(set, keyOf(set, record)));
      else lines.set(keyText(set, keyOf(set, record)), { at, end });
    }
  }
  return {
    path,
    handle,
    lines,
    isWhole,
    size: valid,
    roundAt: isWhole ? (stored?.roundAt ?? 0) : 0,
    isSettled: count === lines.size && existsSync(csvPath(path)),
    settleFrom: 0,
  };
}

const removal = '@removed';

function isRemoval(record: ServiceRecord): boolean {
  return record[removal] === true;
}

/** Appends the lines of a page, and returns the number of records that it removed. */
export async function append(set: CopiedSet, file: OpenFile, { records, removed, isPartial }: Changed): Promise<number> {
  const texts: string[] = [];
  const lineOf = recordLines(set.columns);
  const add = (text: string): Line => {
    const at = file.size;
    file.size += Buffer.byteLength(text);
    texts.push(text);
    return { at, end: file.size };
  };
  for (const record of records) {
    const text = keyText(set, keyOf(set, record));
    const former = isPartial ? file.lines.get(text) : undefined;
    const whole = former === undefined ? record : { ...(await readLine(file, former)), ...record };
    file.lines.set(text, add(lineOf(whole)));
  }
  const gone = removed.filter((key) => file.lines.delete(keyText(set, key)));
  for (const key of gone)
    add(`${JSON.stringify({ [removal]: true, ...Object.fromEntries(set.key.map(({ name }, index) => [name, key[index]])) })}\n`);
  if (texts.length === 0) return 0;
  file.isSettled = false;
  await file.handle.appendFile(texts.join(''));
  await file.handle.datasync();
  return gone.length;
}

async function readLine({ handle }: OpenFile, { at, end }: Line): Promise<ServiceRecord> {
  const { buffer } = await handle.read({ buffer: Buffer.alloc(end - at), position: at });
  return JSON.parse(buffer.toString()) as ServiceRecord;
}

/** The keys of all records, or of those without a line in this round. */
export async function keysIn(set: CopiedSet, file: OpenFile, onlyUnseen: boolean): Promise<readonly Key[]> {
  const found: Key[] = [];
  for (const line of file.lines.values()) if (!onlyUnseen || line.at < file.roundAt) found.push(keyOf(set, await readLine(file, line)));
  return found;
}

/** Leaves one line for each record, and writes the CSV file. The new size is told before the files are replaced. */
export async function settleFile(set: CopiedSet, file: OpenFile, onSize: (size: number) => Promise<void>): Promise<OpenFile> {
  const { path, handle } = file;
  const started = Date.now();
  const { kept, size } = await writeSettled(set, file);
  await handle.close();
  await onSize(size);
  // In this order: a file with one line for each record has a current CSV file beside it.
  await rename(`${csvPath(path)}.new`, csvPath(path));
  await rename(`${path}.new`, path);
  return {
    ...file,
    handle: await open(path, 'a+'),
    lines: kept,
    size,
    roundAt: 0,
    isSettled: true,
    settleFrom: Date.now() + 20 * (Date.now() - started),
  };
}

// Beside the files; on a full disk nothing is left of them.
async function writeSettled(
  set: CopiedSet,
  { path, lines }: OpenFile,
): Promise<Pick<OpenFile, 'size'> & { readonly kept: OpenFile['lines'] }> {
  const paths = [`${path}.new`, `${csvPath(path)}.new`] as const;
  const [json, table] = [await open(paths[0], 'w'), await open(paths[1], 'w')];
  const kept: OpenFile['lines'] = new Map();
  let size = 0;
  try {
    await table.appendFile(csvLine(set.columns.map(({ name }) => name)));
    for await (const several of linesOf(path)) {
      const newest = several.flatMap((line) => {
        const key = keyText(set, keyOf(set, line.record));
        return lines.get(key)?.at === line.at ? [{ ...line, key }] : [];
      });
      for (const { key, at, end } of newest) kept.set(key, { at: size, end: (size += end - at) });
      await json.appendFile(newest.map(({ text }) => text).join(''));
      await table.appendFile(newest.map(({ record }) => csvLine(set.columns.map(({ name }) => record[name]))).join(''));
    }
    await json.datasync();
    return { kept, size };
  } catch (error) {
    for (const each of paths) await rm(each, { force: true });
    throw error;
  } finally {
    await json.close();
    await table.close();
  }
}

function csvPath(path: string): string {
  return path.replace(/ndjson$/, 'csv');
}

/** A line of a set's file with its text, which ends with the line's end. */
interface ReadLine extends Line {
  readonly text: string;
  readonly record: ServiceRecord;
}

// The lines of a file with their places in bytes, those of a chunk at a time.
async function* linesOf(path: string): AsyncGenerator<readonly ReadLine[]> {
  let [rest, at] = [Buffer.alloc(0), 0];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    const lines: ReadLine[] = [];
    let from = 0;
    for (let end = rest.indexOf(10) + 1; end > 0; end = rest.indexOf(10, from) + 1) {
      const text = rest.toString('utf8', from, end);
      lines.push({ text, record: JSON.parse(text) as ServiceRecord, at: at + from, end: at + end });
      from = end;
    }
    yield lines;
    [rest, at] = [rest.subarray(from), at + from];
  }
}
