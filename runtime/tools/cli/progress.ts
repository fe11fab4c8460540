interface Progress {
  readonly show: (done: number) => void;
  readonly end: () => void;
}

/** The output for progress; `isTTY` identifies a terminal. */
interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

/** The amount and unit of work, and the prefix of its lines. */
interface Work {
  readonly total: number;
  readonly what: string;
  readonly before?: string;
}

/** A progress callback: the kind of item being counted, the number done, and the total. */
export type OnProgress = (what: string, done: number, total: number) => void;

/** A progress bar on a terminal; elsewhere a line for every tenth, so that logs stay short. */
export function progressOf(output: ProgressOutput, work: Work): Progress {
  return output.isTTY ? bar(output, work) : lines(output, work);
}

/** Progress bars on a terminal, one for each kind of work, and nothing elsewhere; `end` ends the line of an interrupted bar. */
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
  let printed = 0;
  return {
    show: (done) => {
      const tenth = Math.floor((done / total) * 10);
      if (tenth > printed) output.write(`${before}${done} of ${total} ${what}\n`);
      printed = tenth;
    },
    end: () => undefined,
  };
}
