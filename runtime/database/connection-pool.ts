/** How connections are opened and closed. */
export interface ConnectionSource {
  readonly open: () => Promise<object>;
  readonly close: (connection: object) => Promise<unknown>;
  /** Whether one may still be lent. */
  readonly isUsable: (connection: object) => boolean;
}

/** Bounds of a pool; times in milliseconds. */
export interface PoolLimits {
  readonly most: number;
  /** How long somebody waits for a connection, and what they are told then. */
  readonly patience: number;
  readonly tooLate: () => Error;
  /** How long a connection is kept that nobody asks for. */
  readonly idle: number;
}

interface Waiter {
  readonly take: (connection: object) => void;
  readonly fail: (reason: unknown) => void;
}

interface Idle {
  readonly connection: object;
  readonly until: number;
}

/**
 * Lends connections, of which there are none before the first is asked for. The one that was used last is lent first; who
 * finds none waits in line. Sequelize's own pool makes a timer and three objects for everybody, whether they wait or not.
 */
export class ConnectionPool {
  readonly maxSize: number;
  readonly #source: ConnectionSource;
  readonly #limits: PoolLimits;
  readonly #lent = new Set<object>();
  /** The one that will be closed first stands first. */
  #idle: Idle[] = [];
  readonly #waiting = new Set<Waiter>();
  #opening = 0;
  #closing: NodeJS.Timeout | undefined;
  #drained: (() => void) | undefined;

  constructor(source: ConnectionSource, limits: PoolLimits) {
    this.#source = source;
    this.#limits = limits;
    this.maxSize = limits.most;
  }

  get using(): number {
    return this.#lent.size;
  }

  get available(): number {
    return this.#idle.length;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** A connection that is there; undefined where one has to be waited for. */
  take(): object | undefined {
    if (this.#drained !== undefined) return undefined;
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      if (this.#source.isUsable(last.connection)) return this.#lend(last.connection);
      this.#discard(last.connection);
    }
    return undefined;
  }

  /** A connection, as soon as there is one. */
  async acquire(): Promise<object> {
    if (this.#drained !== undefined) throw new Error('The pool is being closed, and lends no more connections.');
    return this.take() ?? this.#wait();
  }

  /** Takes one back. */
  release(connection: object): void {
    if (!this.#lent.delete(connection)) return;
    this.#offer(connection);
    this.#noteDrained();
  }

  /** Closes one instead of taking it back. */
  async destroy(connection: object): Promise<void> {
    const isOurs = this.#lent.delete(connection) || this.#idle.some((one) => one.connection === connection);
    if (!isOurs) return;
    this.#idle = this.#idle.filter((one) => one.connection !== connection);
    try {
      await this.#source.close(connection);
    } finally {
      this.#openForWaiting();
      this.#noteDrained();
    }
  }

  /** Lends no more, and waits until all are back. */
  drain(): Promise<void> {
    return new Promise((done) => {
      this.#drained = done;
      this.#noteDrained();
    });
  }

  /** Closes all that nobody has. */
  async destroyAllNow(): Promise<void> {
    clearTimeout(this.#closing);
    this.#closing = undefined;
    const idle = this.#idle;
    this.#idle = [];
    await Promise.all(idle.map(({ connection }) => this.#source.close(connection)));
  }

  #lend(connection: object): object {
    this.#lent.add(connection);
    return connection;
  }

  #wait(): Promise<object> {
    return new Promise((resolve, reject) => {
      const { patience, tooLate } = this.#limits;
      const leave = (): void => {
        clearTimeout(late);
        this.#waiting.delete(waiter);
      };
      const waiter: Waiter = {
        take: (connection) => {
          leave();
          resolve(this.#lend(connection));
        },
        fail: (reason) => {
          leave();
          reject(reason);
        },
      };
      const late = setTimeout(() => waiter.fail(tooLate()), patience);
      this.#waiting.add(waiter);
      this.#openForWaiting();
    });
  }

  // Whoever waits the longest comes first.
  #offer(connection: object): void {
    if (!this.#source.isUsable(connection)) return this.#discard(connection);
    const [waiter] = this.#waiting;
    if (waiter !== undefined) return waiter.take(connection);
    this.#idle.push({ connection, until: performance.now() + this.#limits.idle });
    this.#closing ??= setTimeout(() => this.#closeIdle(), this.#limits.idle);
  }

  #openForWaiting(): void {
    while (this.#opening < this.#waiting.size && this.#lent.size + this.#idle.length + this.#opening < this.maxSize) {
      this.#opening += 1;
      this.#source.open().then((connection) => this.#opened(connection), (reason: unknown) => this.#failed(reason));
    }
  }

  #opened(connection: object): void {
    this.#opening -= 1;
    this.#offer(connection);
    this.#noteDrained();
  }

  // It is told to whoever waits the longest; the others may have more luck.
  #failed(reason: unknown): void {
    this.#opening -= 1;
    const [waiter] = this.#waiting;
    waiter?.fail(reason);
    this.#openForWaiting();
    this.#noteDrained();
  }

  #closeIdle(): void {
    const now = performance.now();
    const late = this.#idle.filter(({ until }) => until <= now);
    this.#idle = this.#idle.filter(({ until }) => until > now);
    for (const { connection } of late) this.#discard(connection);
    const [first] = this.#idle;
    this.#closing = first && setTimeout(() => this.#closeIdle(), first.until - now);
  }

  // Nobody has it, and nobody could do anything about a connection that does not even end.
  #discard(connection: object): void {
    this.#source.close(connection).then(() => this.#openForWaiting(), () => this.#openForWaiting());
  }

  #noteDrained(): void {
    if (this.#lent.size + this.#opening + this.#waiting.size === 0) this.#drained?.();
  }
}
