import type { ComplexType, EntityContainer, EntityType, Navigation, Stream, StructuredType } from '../../edm/index.js';
import { complexTypeNamed, fieldOf, isOfComplexType, navigationOf, qualify, streamOf } from '../../edm/index.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

/**
 * A member of a complex value that belongs to the entity, by its path: `Address/Country`, or `Address/Ns.Villa/Builder`
 * for a derived type. `length` is the number of names it consumes.
 */
interface Nested {
  readonly path: string;
  readonly length: number;
  /** A cast leaves out some of the values that have it. */
  readonly narrowed: boolean;
}

/** The navigation property at the start of a path: one of a complex value, or of an entity in a result of `$apply`. */
export function nestedNavigationOf(
  type: StructuredType,
  names: readonly string[],
  container: EntityContainer,
): (Nested & { readonly navigation: Navigation }) | undefined {
  const nested =
    names.length > 1
      ? nestedOf(type, names, container, Object.keys(type.navigation), (path) => navigationOf(type, path) !== undefined)
      : undefined;
  const navigation = nested && navigationOf(type, nested.path);
  return nested && navigation && { ...nested, navigation };
}

/** The stream of a complex value that a path begins with. */
export function nestedStreamOf(
  type: EntityType,
  names: readonly string[],
  container: EntityContainer,
): (Nested & { readonly stream: Stream }) | undefined {
  const nested =
    names.length > 1
      ? nestedOf(type, names, container, Object.keys(type.streams ?? {}), (path) => streamOf(type, path) !== undefined)
      : undefined;
  const stream = nested && streamOf(type, nested.path);
  return nested && stream && { ...nested, stream };
}

/** A step to something within a complex value: the value's name, and the type that it has to be of. */
interface Step {
  readonly name: string;
  readonly type?: string;
}

/** The complex values on a path, and the last name of it. */
export function stepsOf(path: string): { readonly steps: readonly Step[]; readonly name: string } {
  const steps: Step[] = [];
  const parts = path.split('/');
  for (const part of parts.slice(0, -1)) {
    const last = steps.at(-1);
    if (part.includes('.') && last) steps[steps.length - 1] = { ...last, type: part };
    else steps.push({ name: part });
  }
  return { steps, name: parts.at(-1) ?? '' };
}

function qualified(name: string, container: EntityContainer): string {
  return name.includes('.') ? qualify(container, name) : name;
}

function nestedOf(
  type: StructuredType,
  names: readonly string[],
  container: EntityContainer,
  paths: readonly string[],
  has: (path: string) => boolean,
): Nested | undefined {
  const whole = names.map((name) => qualified(name, container));
  for (let length = 2; length <= names.length; length++) {
    const path = whole.slice(0, length).join('/');
    if (has(path)) return { path, length, narrowed: false };
  }
  if (!whole.some((name) => name.includes('.'))) return undefined;
  for (const path of paths.filter((one) => one.includes('/'))) {
    const found = meeting(path, type, whole, container);
    if (found) return { path, ...found };
  }
  return undefined;
}

// The casts of the names may be narrower than those of the path.
function meeting(
  path: string,
  type: StructuredType,
  names: readonly string[],
  container: EntityContainer,
): Omit<Nested, 'path'> | undefined {
  const { steps, name } = stepsOf(path);
  let at = 0;
  let narrowed = false;
  let owner: StructuredType | undefined = type;
  for (const step of steps) {
    if (names[at++] !== step.name) return undefined;
    const declared: ComplexType | undefined = complexTypeNamed(container, step.type ?? (owner && fieldOf(owner, step.name)?.complex) ?? '');
    owner = declared;
    for (; names[at]?.includes('.'); at++) {
      const cast = names[at] ?? '';
      if (declared === undefined || ![declared.qualifiedName, ...declared.derived].includes(cast)) return undefined;
      narrowed ||= cast !== declared.qualifiedName;
    }
  }
  return names[at] === name ? { length: at + 1, narrowed } : undefined;
}

/** The complex value after a path of steps, if it exists with the types of the steps' casts; of a body or of stored JSON. */
export function valueAlong(json: Json, steps: ReturnType<typeof stepsOf>['steps'], container: EntityContainer): JsonObject | undefined {
  let value = json;
  for (const { name, type } of steps) {
    const inner: Json = isObject(value) ? (value.members.get(name) ?? null) : null;
    // Without `@odata.type` the value has the declared type, and a step's cast is to a derived one.
    if (
      type !== undefined &&
      !isOfComplexType(isObject(inner) ? (inner.members.get('@odata.type') ?? inner.members.get('@type')) : undefined, type, container)
    )
      return undefined;
    value = inner;
  }
  return isObject(value) ? value : undefined;
}
