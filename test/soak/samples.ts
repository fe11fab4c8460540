import type { Sequelize } from 'sequelize';
import type { Met } from './clients.js';
import { figures, readFigure } from './figures.js';
import type { Point } from './trend.js';

/** The samples by name. */
export type Samples = ReadonlyMap<string, readonly Point[]>;

/** Looks at the service, its database and its clients, time after time. */
export class SampleBook {
  private readonly points = new Map<string, Point[]>();

  constructor(
    private readonly url: string,
    private readonly admin: Sequelize,
    private readonly met: Met,
  ) {}

  get all(): Samples {
    return this.points;
  }

  /** Adds what there is to see now; the time is in hours. */
  async add(time: number): Promise<void> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    for (const figure of figures) this.keep(figure.name, time, readFigure(figure, text));
    const [[row]] = (await this.admin.query('select count(*)::int as number from pg_stat_activity where datname = current_database()')) as [
      { number: number }[],
      unknown,
    ];
    this.keep('sessions of the database', time, row?.number);
    const times = this.met.times.toSorted((a, b) => a - b);
    this.met.times = [];
    this.keep('answers p99, ms', time, times[Math.floor(times.length * 0.99)]);
    this.keep('answers in ten seconds', time, times.length);
  }

  private keep(name: string, time: number, value: number | undefined): void {
    if (value === undefined) return;
    this.points.set(name, [...(this.points.get(name) ?? []), { time, value }]);
  }
}
