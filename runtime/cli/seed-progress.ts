/** Shows how far a seed has come. */
interface SeedProgress {
  readonly show: (done: number) => void;
  readonly end: () => void;
}

/** Where progress is shown; a terminal is told by `isTTY`. */
interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

/** A bar that is drawn over itself on a terminal; a line for every tenth elsewhere, so that logs stay short. */
export function seedProgress(output: ProgressOutput, total: number): SeedProgress {
  return output.isTTY ? bar(output, total) : lines(output, total);
}

const width = 30;

function bar(output: ProgressOutput, total: number): SeedProgress {
  let drawn = false;
  return {
    show: (done) => {
      const filled = Math.round((done / total) * width);
      output.write(`\r[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${total} listings`);
      drawn = true;
    },
    end: () => {
      if (drawn) output.write('\n');
    },
  };
}

function lines(output: ProgressOutput, total: number): SeedProgress {
  let told = 0;
  return {
    show: (done) => {
      const tenth = Math.floor((done / total) * 10);
      if (tenth > told) output.write(`${done} of ${total} listings\n`);
      told = tenth;
    },
    end: () => undefined,
  };
}
