import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../runtime/tools/cli/make-folder.js';
import type { CopiedSet } from './copied-set.js';
import { append, keysIn, openFile, settleFile, type FileState, type OpenFile } from './set-file.js';
import type { SetState, Target } from './target.js';

/** A set in the state file. */
interface Stored extends FileState {
  readonly state: SetState;
}

/**
 * A folder with an NDJSON and a CSV file for each set. Pages are appended to the first, where the last line of a record
 * counts; `settle` leaves one line for each and writes the second.
 */
export function fileTarget(folder: string): Target {
  const files = new Map<string, OpenFile>();
  const states = stateFile(join(folder, 'replicated.json'));
  const fileOf = ({ name }: CopiedSet): OpenFile => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`${name} is not open.`);
    return file;
  };
  return {
    open: async (sets) => {
      makeFolder(folder);
      await states.load();
      for (const set of sets) {
        const file = await openFile(set, join(folder, `${set.name}.ndjson`), states.get(set));
        if (!file.isWhole) states.forget(set);
        files.set(set.name, file);
      }
    },
    state: (set) => states.get(set)?.state,
    write: async (set, page, state) => {
      const file = fileOf(set);
      if (states.get(set) === undefined) await states.save(set, { state: beginningOf(state), size: 0, roundAt: 0 });
      if (state.round !== states.get(set)?.state.round) file.roundAt = file.size;
      const removed = await append(set, file, page);
      await states.save(set, { state, size: file.size, roundAt: file.roundAt });
      return removed;
    },
    keys: (set, before) => keysIn(set, fileOf(set), before !== undefined),
    settle: async (set, isLast) => {
      const [file, stored] = [fileOf(set), states.get(set)];
      if (file.isSettled || stored?.state.phase !== 'following' || (!isLast && Date.now() < file.settleFrom)) return;
      const settled = await settleFile(set, file, (size) => states.save(set, { ...stored, settled: size }));
      files.set(set.name, settled);
      await states.save(set, { state: stored.state, size: settled.size, roundAt: settled.roundAt });
    },
    close: async () => {
      for (const { handle } of files.values()) await handle.close();
    },
  };
}

// The state before the first page, *because* bytes without a state are those of another program.
function beginningOf({ service, query, round }: SetState): SetState {
  return { ...(service !== undefined && { service }), query, round, phase: 'reading' };
}

interface StateFile {
  readonly load: () => Promise<void>;
  readonly get: (set: CopiedSet) => Stored | undefined;
  /** Lets the set be copied anew. */
  readonly forget: (set: CopiedSet) => void;
  readonly save: (set: CopiedSet, state: Stored) => Promise<void>;
}

// The file is replaced as a whole.
function stateFile(path: string): StateFile {
  const stored = new Map<string, Stored>();
  const write = inTurn(async () => {
    await writeFile(`${path}.new`, `${JSON.stringify(Object.fromEntries(stored), undefined, 1)}\n`, { flush: true });
    await rename(`${path}.new`, path);
  });
  return {
    load: async () => {
      const text = existsSync(path) ? await readFile(path, 'utf8') : '{}';
      for (const [name, state] of Object.entries(parseStates(path, text))) stored.set(name, state);
    },
    get: ({ name }) => stored.get(name),
    forget: ({ name }) => void stored.delete(name),
    save: ({ name }, state) => {
      stored.set(name, state);
      return write();
    },
  };
}

function parseStates(path: string, text: string): Readonly<Record<string, Stored>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, Stored>>;
  } catch {
    throw new Error(`${path} is damaged, and with it the positions of the copy; copy into another folder.`);
  }
}

// One after the other; those that wait while one is running share the next.
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let [running, waiting] = [Promise.resolve(), undefined as Promise<void> | undefined];
  return () =>
    (waiting ??= running.then(() => {
      waiting = undefined;
      return (running = work());
    }));
}
