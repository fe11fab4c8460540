/** The part of a .cpuprofile that is read here (the format of the Chrome DevTools Protocol). */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before it. */
  readonly timeDeltas: readonly number[];
}

/** The time that a function, or all functions of an area, took themselves. */
export interface SelfTime {
  /** A function with its file; or a folder of this repository, a package or a part of Node. */
  readonly place: string;
  readonly milliseconds: number;
  /** Share of the time in which the process did anything. */
  readonly share: number;
}

type CallFrame = CpuProfile['nodes'][number]['callFrame'];

/** Sums up the samples of the last so many milliseconds: what comes before is the loading of modules. */
export function selfTimes(profile: CpuProfile, last: number, placeOf: (frame: CallFrame) => string): readonly SelfTime[] {
  const { nodes, samples, timeDeltas } = profile;
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<string, number>();
  let left = last;
  for (let index = samples.length - 1; index >= 0 && left > 0; index -= 1) {
    const place = places.get(samples[index] ?? 0) ?? '?';
    const milliseconds = (timeDeltas[index] ?? 0) / 1000;
    times.set(place, (times.get(place) ?? 0) + milliseconds);
    left -= milliseconds;
  }
  times.delete('(idle)');
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0);
  const found = [...times].map(([place, milliseconds]) => ({ place, milliseconds, share: milliseconds / busy }));
  return found.sort((a, b) => b.milliseconds - a.milliseconds);
}

/** A function with its file and line; its calls from different places count together. */
export function functionOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name}  ${fileOf(url)}:${lineNumber + 1}`;
}

/** The folder of this repository, the package or the part of Node that contains a function. */
export function areaOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native functions';
  const file = fileOf(url);
  if (file.startsWith('node:')) return /^node:(?:internal\/)?[^/:]*/.exec(file)?.[0] ?? file;
  return /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file.replace(/\/[^/]*$/, '');
}

// A package may have a folder named dist too, so ours is looked for only outside of packages.
function fileOf(url: string): string {
  const at = url.lastIndexOf('/node_modules/');
  return at < 0 ? url.replace(/^file:.*?\/(?=dist\/)/, '') : url.slice(at + 1);
}
