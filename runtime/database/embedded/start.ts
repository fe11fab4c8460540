import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { attach, type Attachment } from './attach.js';
import { embeddedUrl } from './credentials.js';
import { goodbye, type SupervisorOptions } from './supervisor-protocol.js';

/** How the embedded database is started. */
export interface EmbeddedOptions {
  /** Where the data is kept; several processes may name the same one and share its server. */
  readonly directory: string;
  /** False gives up safety against a crash of the machine, for throw-away data only. */
  readonly durable?: boolean;
  /** How long the server stays after the last process has left; 0 by default. */
  readonly lingerSeconds?: number;
  /** The folder with `bin` and `lib`, instead of the one of the npm package. */
  readonly nativeDirectory?: string;
  /** Takes what a person should know, one sentence at a time; the standard error by default. */
  readonly report?: (sentence: string) => void;
}

/** The embedded database, kept running for as long as this process holds it. */
export interface EmbeddedDatabase {
  readonly url: string;
  /** True when the server was already running. */
  readonly attached: boolean;
  /** Lets go of the server; it stops when nobody else holds it. */
  readonly stop: () => Promise<void>;
}

/** Starts the PostgreSQL that comes with the npm packages, or attaches to the one that already runs for this directory. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  makeDirectory(options.directory);
  const supervisorOptions = supervisorOptionsOf(options);
  const first = await attach(supervisorOptions);
  const report = options.report ?? console.error;
  if (first.started) first.notes.forEach((note) => report(note));
  const hold = keepAttached(first, supervisorOptions);
  return { url: embeddedUrl(supervisorOptions.directory, first.port), attached: !first.started, stop: hold.release };
}

// The server may run as another user, who must be able to enter whatever our umask says. What is secret has modes of its own.
function makeDirectory(directory: string): void {
  const made = mkdirSync(directory, { recursive: true });
  if (made !== undefined) chmodSync(directory, 0o755);
}

function supervisorOptionsOf(options: EmbeddedOptions): SupervisorOptions {
  return {
    directory: realpathSync(options.directory),
    durable: options.durable ?? true,
    lingerSeconds: options.lingerSeconds ?? 0,
    ...(options.nativeDirectory !== undefined && { nativeDirectory: realpathSync(options.nativeDirectory) }),
  };
}

// A supervisor that was killed leaves its server running; a new one adopts it, so that it is not left alone for good.
function keepAttached(first: Attachment, options: SupervisorOptions): { readonly release: () => Promise<void> } {
  let current: Attachment | undefined;
  let released = false;
  const hold = (attachment: Attachment): void => {
    current = attachment;
    // The connection alone must not keep a process from ending.
    attachment.socket.unref().once('close', () => void lost());
  };
  const lost = async (): Promise<void> => {
    if (released) return;
    try {
      const found = await attach(options);
      // Whoever was released while the way was being looked for keeps none.
      if (released) found.socket.destroy();
      else hold(found);
    } catch (error) {
      console.error('The embedded database is lost:', error);
    }
  };
  hold(first);
  const release = async (): Promise<void> => {
    released = true;
    if (current !== undefined) await closed(current);
  };
  return { release };
}

function closed({ socket }: Attachment): Promise<void> {
  if (socket.closed) return Promise.resolve();
  return new Promise((resolve) => {
    socket
      .ref()
      .once('close', () => resolve())
      .end(`${goodbye}\n`);
  });
}
