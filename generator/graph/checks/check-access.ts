import type { Annotation, Expression } from '../../csdl/csdl.js';
import { faults, type Report } from '../../faults.js';
import { lastName } from '../../../runtime/edm/lookup.js';

/** Members of Core.Permission in order, with the access that each permits. */
const permissions: readonly (readonly [member: string, reads: boolean, writes: boolean])[] = [
  ['None', false, false],
  ['Read', true, false],
  ['Write', false, true],
  ['ReadWrite', true, true],
  ['Invoke', true, true],
];

/**
 * Reports Core.Permissions that have no effect: they apply to every client and entity, while access here depends on
 * scopes.
 */
export function checkAccess({ at, value }: Annotation, target: string, isKept: boolean, report: Report): void {
  const granted = permissionsIn(value);
  const reads = granted.some(([, isRead]) => isRead);
  if (!reads) report(faults.unreadable(at, target));
  else if (!isKept && !granted.some(([, , isWritten]) => isWritten)) report(faults.unwritable(at, target));
}

/** Whether Core.Permissions make a value read-only, as if it were computed. */
export function isOnlyRead(note: Annotation | undefined): boolean {
  const granted = note ? permissionsIn(note.value) : [];
  return granted.some(([, isRead]) => isRead) && !granted.some(([, , isWritten]) => isWritten);
}

// Unreadable permissions may forbid anything.
function permissionsIn(value: Expression | undefined): typeof permissions {
  const names = value?.kind === 'constant' ? value.value.split(/[\s,]+/).map((name) => lastName(name)) : [];
  return permissions.filter(([member], number) => names.includes(member) || names.includes(String(number)));
}
