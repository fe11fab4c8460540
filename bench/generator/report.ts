import { median } from '../run/median.js';
import type { Measured } from './measured-run.js';
import type { Step } from './steps.js';

/** The medians of a step's runs. */
export interface Figures extends Measured {
  readonly name: string;
  /** The smaller of wall-clock and processor time: a busy machine adds to the first, several threads to the second. */
  readonly seconds: number;
  readonly target: number | undefined;
  readonly properties: number | undefined;
}

/** How often the time of a model that of one of half its properties is, from the smallest on. */
type Growth = readonly number[];

/** Twice is in proportion, and what starting takes makes it less. */
const growthTarget = 2.2;
/** A model of 10 000 properties may take so many MB. */
const memoryTarget = 1_024;

/** Sums up the runs of a step. */
export function figuresOf({ name, target, properties }: Step, runs: readonly Measured[]): Figures {
  const of = (value: (run: Measured) => number): number => median(runs.map(value)) ?? Number.NaN;
  return {
    name,
    target,
    properties,
    wall: of(({ wall }) => wall),
    cpu: of(({ cpu }) => cpu),
    peakMegabytes: of(({ peakMegabytes }) => peakMegabytes),
    seconds: of(({ wall, cpu }) => Math.min(wall, cpu)),
  };
}

/** The growth of time from each of the made models to the next, which is twice as large. */
export function growthOf(figures: readonly Figures[]): Growth {
  const seconds = figures.filter(({ properties }) => properties !== undefined).map((each) => each.seconds);
  return seconds.slice(1).map((time, index) => time / (seconds[index] ?? Number.NaN));
}

/** A line of the table. */
export function lineOf({ name, wall, cpu, peakMegabytes, seconds, target }: Figures): string {
  const judged = target === undefined ? '' : `${target.toFixed(1)} s ${seconds < target ? 'ok' : '--'}`;
  return `${name.padEnd(44)} ${wall.toFixed(2).padStart(6)} s ${cpu.toFixed(2).padStart(6)} s ${peakMegabytes.toFixed(0).padStart(6)} MB  ${judged}\n`;
}

/** The table's head. */
export const head = `${''.padEnd(44)} ${'clock'.padStart(8)} ${'cpu'.padStart(8)} ${'peak'.padStart(9)}  target\n`;

/** The report about synthetic models. */
export function growthLines(growth: Growth, figures: readonly Figures[]): string {
  const { properties, peakMegabytes } = largestOf(figures);
  const grown = growth.map((ratio) => ratio.toFixed(2)).join(' and ');
  return [
    `twice the properties take ${grown} times the time (target ${growthTarget} ${isLinear(growth) ? 'ok' : '--'})`,
    `${properties} properties take ${peakMegabytes.toFixed(0)} MB at most (target ${memoryTarget} ${peakMegabytes < memoryTarget ? 'ok' : '--'})`,
    '',
  ].join('\n');
}

/** Whether everything is within its target. */
export function isWithin(growth: Growth, figures: readonly Figures[]): boolean {
  return (
    figures.every(({ seconds, target = Infinity }) => seconds < target) &&
    isLinear(growth) &&
    largestOf(figures).peakMegabytes < memoryTarget
  );
}

function isLinear(growth: Growth): boolean {
  return growth.every((ratio) => ratio <= growthTarget);
}

function largestOf(figures: readonly Figures[]): Figures {
  return figures.reduce((largest, each) => ((each.properties ?? 0) > (largest.properties ?? 0) ? each : largest));
}
