import { suggestion } from '../../../runtime/errors/suggest.js';
import { shortTerm } from '../../csdl/terms.js';
import type { PathValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import type { BuiltType, Context } from '../built-model.js';

/**
 * The treatment of a path to a part of a value or to related entities, where the service only supports whole
 * properties.
 */
type OfParts = 'whole' | 'left out' | 'same';

/** The properties that paths name; unknown paths are reported. */
export function knownPaths(
  paths: readonly PathValue[],
  term: string,
  type: BuiltType,
  context: Context,
  ofParts: OfParts = 'whole',
): readonly string[] {
  const names = paths.flatMap(({ at, path: written }) => {
    const path = withoutCast(written, type, context);
    if (path === undefined) return [];
    if (type.streams.has(path) || type.definition.properties.some(({ name, kind }) => kind === 'Property' && name === path)) return [path];
    return partOf({ at, path }, shortTerm(term), type, context, ofParts) ?? [];
  });
  return [...new Set(names)];
}

/** The first property of a longer path, where it can stand for the path. */
export function partOf(
  { at, path }: PathValue,
  term: string,
  type: BuiltType,
  { leadsSomewhere, report }: Context,
  ofParts: OfParts,
  wholes: readonly string[] = [...type.fields.keys()],
): string | undefined {
  const [first = ''] = path.split('/');
  if (first === path || !leadsSomewhere(`${type.qualifiedName}/${path}`)) {
    report(faults.unknownProperty(at, term, path, type.name, suggestion(path, type.fields.keys())));
    return undefined;
  }
  const isWhole = ofParts === 'whole' && wholes.includes(first);
  if (ofParts !== 'same') report(faults.partOfValue(at, term, path, isWhole ? `the whole of ${first} is taken` : 'it is left out'));
  return isWhole ? first : undefined;
}

/**
 * A path with a cast, seen from a type: `Ns.Employee/Salary` is Salary for an employee, and nothing for other types.
 */
export function withoutCast(path: string, { qualifiedName, bases }: BuiltType, { scope }: Pick<Context, 'scope'>): string | undefined {
  const slash = path.indexOf('/');
  const cast = slash < 0 ? undefined : scope.qualify(path.slice(0, slash));
  if (cast === undefined || scope.definitions.get(cast)?.kind !== 'EntityType') return path;
  return cast === qualifiedName || bases.some((base) => base.qualifiedName === cast) ? path.slice(slash + 1) : undefined;
}
