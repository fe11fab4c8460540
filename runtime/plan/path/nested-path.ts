import {
  complexTypeNamed,
  fieldOf,
  navigationOf,
  own,
  qualify,
  streamOf,
  targetOf,
  type AnyNavigation,
  type ComplexType,
  type EntityContainer,
  type EntityType,
  type Field,
  type Navigation,
  type Stream,
  type StructuredType,
} from '../../edm/index.js';

/**
 * What lies within a complex value and is the record's own, under its path: `Address/Country`, or
 * `Address/Ns.Villa/Builder` where only a derived type has it. `length` is how many of the names asked for lead to it.
 */
interface Nested {
  readonly path: string;
  readonly length: number;
  /** A cast leaves out some of the values that have it. */
  readonly narrowed: boolean;
}

/** The navigation property under several names that a path begins with: one of a complex value, or of a record within what `$apply` makes. */
export function nestedNavigationOf(
  type: StructuredType & Pick<EntityType, 'anyNavigation'>,
  names: readonly string[],
  container: EntityContainer,
): (Nested & { readonly navigation: Navigation }) | undefined {
  const arm = names.length > 1 ? armOf(type.navigation, nestedAnyOf(type, names, container), names, container) : undefined;
  if (arm) return arm;
  const nested =
    names.length > 1
      ? nestedOf(type, names, container, Object.keys(type.navigation), (path) => navigationOf(type, path) !== undefined)
      : undefined;
  const navigation = nested && navigationOf(type, nested.path);
  return nested && navigation && { ...nested, navigation };
}

/** The navigation property to records of any type that has the name. */
export function anyNavigationOf({ anyNavigation }: Pick<EntityType, 'anyNavigation'>, name: string): AnyNavigation | undefined {
  return anyNavigation && own(anyNavigation, name);
}

/** What leads to records of any type, and where. */
interface NestedAny extends Nested {
  readonly any: AnyNavigation;
}

/** The navigation property to records of any type that a path begins with: the record's own, or one of a complex value under its path. */
export function nestedAnyOf(
  type: StructuredType & Pick<EntityType, 'anyNavigation'>,
  names: readonly string[],
  container: EntityContainer,
): NestedAny | undefined {
  const table = type.anyNavigation;
  if (table === undefined) return undefined;
  const [path = ''] = names;
  const direct = own(table, path);
  if (direct) return { path, length: 1, narrowed: false, any: direct };
  const nested =
    names.length > 1 ? nestedOf(type, names, container, Object.keys(table), (one) => own(table, one) !== undefined) : undefined;
  const any = nested && own(table, nested.path);
  return nested && any && { ...nested, any };
}

/** The navigation property to records of any type that a path is a part of: `Target` of `Target/Ns.Order`. */
export function anyNameOf({ anyNavigation = {} }: Pick<EntityType, 'anyNavigation'>, path: string): string | undefined {
  const name = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return own(anyNavigation, name)?.paths.includes(path) ? name : undefined;
}

/** What leads to other records, under the names that clients write. */
export function navigationNames(type: Pick<EntityType, 'navigation' | 'anyNavigation'>): readonly string[] {
  return [...Object.keys(type.navigation).filter((name) => anyNameOf(type, name) === undefined), ...Object.keys(type.anyNavigation ?? {})];
}

/** How many names a path ends with that are the property's: two, where what has looked at the record has named the part of it that is meant, and its set. */
export function ownNames(path: string): 1 | 2 {
  return path.includes(':', path.lastIndexOf('/')) ? 2 : 1;
}

// Behind what leads to records of any type a cast says which; it stays a cast, since it may say more than the path does.
// Where several sets have such records it says none, and the part itself is named by what has looked at the record.
function armOf(
  table: EntityType['navigation'],
  nested: NestedAny | undefined,
  names: readonly string[],
  container: EntityContainer,
): (Nested & { readonly navigation: Navigation }) | undefined {
  const cast = nested && names[nested.length];
  if (nested === undefined || !cast?.includes('.')) return undefined;
  const { path, length, narrowed, any } = nested;
  const whole = cast.includes(':') ? own(table, `${path}/${cast}`) : undefined;
  if (whole) return { path: `${path}/${cast}`, length: length + 1, narrowed, navigation: whole };
  const [arm, ...others] = armsFor({ navigation: table }, any, cast, container);
  return arm === undefined || others.length > 0 ? undefined : { ...arm, length, narrowed };
}

/** The parts of what leads to records of any type that may lead to records of one. */
export function armsFor(
  { navigation: table }: Pick<EntityType, 'navigation'>,
  { paths }: AnyNavigation,
  cast: string,
  container: EntityContainer,
): readonly { readonly path: string; readonly navigation: Navigation }[] {
  const qualified = qualify(container, cast);
  return paths.flatMap((path) => {
    const navigation = own(table, path);
    const target = navigation && targetOf(container, navigation);
    // One that several sets have may be meant by the type that it derives from.
    const types = target && [target.qualifiedName, ...(target.derivedTypes ?? []), ...(path.includes(':') ? (target.baseTypes ?? []) : [])];
    return navigation && types?.includes(qualified) ? [{ path, navigation }] : [];
  });
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

/** The values on the way to what a path names, and its own name; of what leads to records of any type a part has their type in it. */
export function stepsOf(path: string): { readonly steps: readonly Step[]; readonly name: string } {
  const steps: Step[] = [];
  const parts = path.split('/');
  const own = parts.at(-1)?.includes('.') ? -2 : -1;
  for (const part of parts.slice(0, own)) {
    const last = steps.at(-1);
    if (part.includes('.') && last) steps[steps.length - 1] = { ...last, type: part };
    else steps.push({ name: part });
  }
  return { steps, name: parts.slice(own).join('/') };
}

/** The structural property that a path leads to: the type's own, or one of a complex value; undefined where there is none. */
export function fieldWithin(type: StructuredType, path: string, container: EntityContainer): Field | undefined {
  const { steps, name } = stepsOf(path);
  const owner = steps.reduce<StructuredType | undefined>(
    (before, step) => complexTypeNamed(container, step.type ?? (before && fieldOf(before, step.name)?.complex) ?? ''),
    type,
  );
  return owner && fieldOf(owner, name);
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

// The names may say more of a value's type than the path does: the declared one, or one that derives further.
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
