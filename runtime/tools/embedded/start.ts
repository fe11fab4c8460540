import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { attach, type Attachment } from './attach.js';
import { embeddedUrl } from './credentials.js';
import { goodbye, type SupervisorOptions } from './supervisor-protocol.js';

/** The options of the embedded database. */
export interface EmbeddedOptions {
  /** The folder for data; several processes may use the same one and share its server. */
  readonly directory: string;
  /** False gives up crash safety, for throw-away data only. */
  readonly durable?: boolean;
  /** The time that the server stays after the last process has left; 0 by default. */
  readonly lingerSeconds?: number;
  /** The folder with `bin` and `lib`; by default that of the npm package. */
  readonly nativeDirectory?: string;
  /** Receives notes for the user, one sentence at a time; stderr by default. */
  readonly report?: (sentence: string) => void;
}

/** The embedded database, which runs until this process stops it. */
export interface EmbeddedDatabase {
  readonly url: string;
  /** Whether the server was already running. */
  readonly attached: boolean;
  /** Detaches from the server, which stops with its last client. */
  readonly stop: () => Promise<void>;
}

/** Starts the PostgreSQL of the npm packages, or attaches to the one that already runs for this directory. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  makeDirectory(options.directory);
  const supervisorOptions = supervisorOptionsOf(options);
  const first = await attach(supervisorOptions);
  const report = options.report ?? console.error;
  if (first.started) first.notes.forEach((note) => report(note));
  const hold = keepAttached(first, supervisorOptions);
  return { url: embeddedUrl(supervisorOptions.directory, first.port), attached: !first.started, stop: hold.release };
}

// The server may run as another user, who must be able to enter whatever the umask. Secret files have their own modes.
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

// A killed supervisor leaves its server running; a new one adopts it.
function keepAttached(first: Attachment, options: SupervisorOptions): { readonly release: () => Promise<void> } {
  let current: Attachment | undefined;
  let released = false;
  const hold = (attachment: Attachment): void => {
    current = attachment;
    // The connection alone must not keep a process alive.
    attachment.socket.unref().once('close', () => void lost());
  };
  const lost = async (): Promise<void> => {
    if (released) return;
    try {
      const found = await attach(options);
      // Released while reconnecting.
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
