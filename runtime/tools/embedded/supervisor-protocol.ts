/** The options of a supervisor, passed as JSON on the command line. */
export interface SupervisorOptions {
  readonly directory: string;
  /** Whether commits are synced to disk; only throw-away data may do without. */
  readonly durable: boolean;
  /** The time that the server stays after the last process has left. */
  readonly lingerSeconds: number;
  /** The folder with `bin` and `lib`; by default that of the npm package. */
  readonly nativeDirectory?: string;
}

/** The answer to a process that attaches, when the server accepts connections or has failed. */
export type Answer = { readonly port: number; readonly started: boolean; readonly notes: readonly string[] } | { readonly failure: string };

/** The message of a process that leaves on purpose; a killed one sends nothing, and is expected back. */
export const goodbye = 'goodbye';

/** The exit status of a supervisor when another one is running. */
export const anotherSupervisor = 3;
