import type { Annotation, Expression } from '../csdl/csdl.js';
import { faults, type Report } from '../faults.js';

/** Members of Core.Permission by their numbers, each with what it lets clients do. */
const permissions: readonly (readonly [member: string, reads: boolean, writes: boolean])[] = [
  ['None', false, false],
  ['Read', true, false],
  ['Write', false, true],
  ['ReadWrite', true, true],
  ['Invoke', true, true],
];

/** Tells of Core.Permissions that are not kept: they hold for every client and every record, and here scopes say who may do what. */
export function checkAccess({ at, value }: Annotation, target: string, isKept: boolean, report: Report): void {
  const said = permissionsIn(value);
  const reads = said.some(([, isRead]) => isRead);
  if (!reads) report(faults.unreadable(at, target));
  else if (!isKept && !said.some(([, , isWritten]) => isWritten)) report(faults.unwritable(at, target));
}

/** Whether Core.Permissions let clients read a value and not write it, as if the service computed it. */
export function isOnlyRead(note: Annotation | undefined): boolean {
  const said = note ? permissionsIn(note.value) : [];
  return said.some(([, isRead]) => isRead) && !said.some(([, , isWritten]) => isWritten);
}

// What cannot be read may forbid anything.
function permissionsIn(value: Expression | undefined): typeof permissions {
  const names = value?.kind === 'constant' ? value.value.split(/[\s,]+/).map((name) => name.slice(name.lastIndexOf('/') + 1)) : [];
  return permissions.filter(([member], number) => names.includes(member) || names.includes(String(number)));
}
