import type { ValueMember } from '../../runtime/schema/schema.js';
import { lastName } from '../../runtime/edm/lookup.js';

/** A member that existed before, with its earlier definition and name. */
export interface KeptMember {
  readonly member: ValueMember;
  readonly before: ValueMember;
  readonly from: string;
}

/** A member that fewer types have than before, with these types. */
export interface HiddenMember {
  readonly before: ValueMember;
  readonly types: readonly string[];
}

/** Whether two paths are the same member of a value, of whatever type of the hierarchy: JSON has one for all. */
export function isSameMember(path: string, other: string): boolean {
  return lastName(path) === lastName(other) && memberPath(parentOf(path)) === memberPath(parentOf(other));
}

/** The members that replace one of another type of the hierarchy. */
export function movedMembers(path: string, now: readonly ValueMember[], formerOf: ReadonlyMap<string, string>): readonly ValueMember[] {
  return now.filter((member) => isSameMember(formerOf.get(member.path) ?? member.path, path));
}

/** Members that some of their types no longer have; `nameNow` is the name of a type that values may still have. */
export function hiddenMembers(kept: readonly KeptMember[], nameNow: (type: string) => string | undefined): readonly HiddenMember[] {
  return [...new Set(kept.map(({ before }) => before))].flatMap((before) => {
    const heirs = kept.filter((one) => one.before === before).map(({ member }) => member);
    const types = heirs.flatMap(({ of = [] }) => of);
    const isKept = before.of?.every((type) => [undefined, ...types].includes(nameNow(type))) ?? false;
    return isKept || heirs.some(({ of }) => of === undefined) ? [] : [{ before, types }];
  });
}

/** Whether the member was required in all types that have it and existed before; `nameNow` is the new name of a type. */
export function wasRequired(
  member: ValueMember,
  kept: readonly KeptMember[],
  old: readonly string[],
  nameNow: (type: string) => string,
): boolean {
  const required = kept.filter((one) => one.member === member && one.before.notNull).map(({ before }) => before);
  const types = new Set(required.flatMap(({ of = [] }) => of.map(nameNow)));
  const existed = old.map(nameNow);
  return (
    required.some(({ of }) => of === undefined) ||
    (required.length > 0 && existed.every((type) => types.has(type) || member.of?.includes(type) === false))
  );
}

/** The parent path, with a slash at its end; empty for a member of the column's own value. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The member at a parent path: without the slash and a cast. */
export function memberPath(parent: string): string {
  const path = parent.replace(/\/$/, '');
  return lastName(path).includes('.') ? memberPath(parentOf(path)) : path;
}
