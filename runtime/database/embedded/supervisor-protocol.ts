/** What a supervisor is started with; it travels as JSON on the command line. */
export interface SupervisorOptions {
  readonly directory: string;
  /** Whether every commit is on disk before it is acknowledged; only throw-away data may do without. */
  readonly durable: boolean;
  /** How long the server stays after the last process has left. */
  readonly lingerSeconds: number;
  /** The folder with `bin` and `lib`, instead of the one of the npm package. */
  readonly nativeDirectory?: string;
}

/** What a supervisor tells a process that attaches, once the server takes connections or cannot. */
export type Answer = { readonly port: number; readonly started: boolean; readonly notes: readonly string[] } | { readonly failure: string };

/** What a process says when it leaves of its own accord; one that was killed says nothing, and is expected back. */
export const goodbye = 'goodbye';

/** The exit status of a supervisor that found another one at work. */
export const anotherSupervisor = 3;
