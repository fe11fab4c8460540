import type { StructuredType } from '../csdl/csdl.js';
import { structuresOf, type Scope } from './scope.js';

/** An unknown name in a path, with the known names of the type before it. */
interface MisspeltName {
  readonly name: string;
  readonly owner: string;
  readonly known: readonly string[];
}

/** The first unknown name of a path; undefined where all exist, or a type is unknown. */
export function misspeltName(path: string, type: StructuredType, scope: Scope): MisspeltName | undefined {
  let line: readonly StructuredType[] = [type];
  for (const name of path.split('/')) {
    const properties = line.flatMap((one) => one.properties);
    const found = properties.find((property) => property.name === name);
    const [owner] = line;
    if (owner === undefined) return undefined;
    if (found === undefined && !name.includes('.'))
      return line.some(({ leftOut }) => leftOut?.includes(name))
        ? undefined
        : { name, owner: owner.name, known: properties.map((property) => property.name) };
    line = structuresOf(scope.qualify(found?.type ?? name), scope);
  }
  return undefined;
}
