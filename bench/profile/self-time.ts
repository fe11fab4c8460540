/** The part of a .cpuprofile that is read here (the format of the Chrome DevTools Protocol). */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number } }[];
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before it. */
  readonly timeDeltas: readonly number[];
}

/** The time that a function took itself. */
export interface SelfTime {
  readonly place: string;
  readonly milliseconds: number;
  /** Share of the time in which the process did anything. */
  readonly share: number;
}

/** Sums the samples up by function; the calls of a function from different places count together. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): readonly SelfTime[] {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const place = places.get(id) ?? '?';
    times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  });
  times.delete('(idle)');
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0);
  const found = [...times].map(([place, milliseconds]) => ({ place, milliseconds, share: milliseconds / busy }));
  return found.sort((a, b) => b.milliseconds - a.milliseconds);
}

function placeOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/(?=dist\/|node_modules\/)/, '');
  const name = functionName === '' ? '(anonymous)' : functionName;
  return file === '' ? name : `${name}  ${file}:${lineNumber + 1}`;
}
