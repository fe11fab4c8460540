/** Shows how far long work has come. */
interface Progress {
  readonly show: (done: number) => void;
  readonly end: () => void;
}

/** Where progress is shown; a terminal is told by `isTTY`. */
interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

/** How much work there is, of what, and what a line of it begins with. */
interface Work {
  readonly total: number;
  readonly what: string;
  readonly before?: string;
}

/** Called again and again by work of several kinds in a row: what is counted now, how much is done, and of how much. */
export type OnProgress = (what: string, done: number, total: number) => void;

/** A bar that is drawn over itself on a terminal; a line for every tenth elsewhere, so that logs stay short. */
export function progressOf(output: ProgressOutput, work: Work): Progress {
  return output.isTTY ? bar(output, work) : lines(output, work);
}

/** A bar on a terminal for each kind of work, and nothing elsewhere; `end` ends the line of a bar that was broken off. */
export function barsOf(output: ProgressOutput): { readonly show: OnProgress; readonly end: () => void } {
  let current: (Progress & { readonly what: string }) | undefined;
  const end = (): void => {
    current?.end();
    current = undefined;
  };
  return {
    end,
    show: (what, done, total) => {
      if (!output.isTTY) return;
      if (current?.what !== what) end();
      current ??= { what, ...bar(output, { total, what }) };
      current.show(done);
      if (done === total) end();
    },
  };
}

const width = 30;

function bar(output: ProgressOutput, { total, what, before = '' }: Work): Progress {
  let drawn = false;
  return {
    show: (done) => {
      const filled = Math.round((done / total) * width);
      output.write(`\r${before}[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${total} ${what}`);
      drawn = true;
    },
    end: () => {
      if (drawn) output.write('\n');
    },
  };
}

function lines(output: ProgressOutput, { total, what, before = '' }: Work): Progress {
  let told = 0;
  return {
    show: (done) => {
      const tenth = Math.floor((done / total) * 10);
      if (tenth > told) output.write(`${before}${done} of ${total} ${what}\n`);
      told = tenth;
    },
    end: () => undefined,
  };
}
