import type { StructuredType } from '../csdl/csdl.js';
import { structuresOf, type Scope } from './scope.js';

/** A name in a path that the type before it has not, and those that it has. */
interface MisspeltName {
  readonly name: string;
  readonly owner: string;
  readonly known: readonly string[];
}

/** The first name of a path that nothing has; undefined where all are there, or one has a type that is not known. */
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
