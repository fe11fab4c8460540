import { own } from '../../edm/index.js';
import type { ComplexType, EntityContainer, EntityType, Navigation, Stream, StructuredType } from '../../edm/index.js';
import { complexTypeNamed, fieldOf, isOfComplexType, qualify } from '../../edm/index.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { statedType } from '../value/control-information.js';

/**
 * A member of a complex value that belongs to the entity, by its path: `Address/Country`, or `Address/Ns.Villa/Builder`
 * for a derived type. `length` is the number of names it consumes.
 */
export interface Nested<Member> {
  readonly path: string;
  readonly length: number;
  /** A cast leaves out some of the values that have it. */
  readonly narrowed: boolean;
  readonly member: Member;
}

/** The navigation property at the start of a path: one of a complex value, or of an entity in a result of `$apply`. */
export function nestedNavigationOf(
  type: StructuredType,
  names: readonly string[],
  container: EntityContainer,
): Nested<Navigation> | undefined {
  return nestedOf(type, names, container, type.navigation);
}

/** The stream of a complex value that a path begins with. */
export function nestedStreamOf(type: EntityType, names: readonly string[], container: EntityContainer): Nested<Stream> | undefined {
  return nestedOf(type, names, container, type.streams ?? {});
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

function nestedOf<Member>(
  type: StructuredType,
  names: readonly string[],
  container: EntityContainer,
  members: { readonly [path: string]: Member },
): Nested<Member> | undefined {
  if (names.length < 2) return undefined;
  const whole = names.map((name) => (name.includes('.') ? qualify(container, name) : name));
  for (let length = 2; length <= names.length; length++) {
    const path = whole.slice(0, length).join('/');
    const member = own(members, path);
    if (member) return { path, length, narrowed: false, member };
  }
  if (!whole.some((name) => name.includes('.'))) return undefined;
  for (const [path, member] of Object.entries(members)) {
    const met = path.includes('/') ? meeting(path, type, whole, container) : undefined;
    if (met) return { path, ...met, member };
  }
  return undefined;
}

// The casts of the names may be narrower than those of the path.
function meeting(
  path: string,
  type: StructuredType,
  names: readonly string[],
  container: EntityContainer,
): Pick<Nested<unknown>, 'length' | 'narrowed'> | undefined {
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
    if (type !== undefined && !isOfComplexType(isObject(inner) ? statedType(inner.members) : undefined, type, container)) return undefined;
    value = inner;
  }
  return isObject(value) ? value : undefined;
}
