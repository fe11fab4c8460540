import type { ExpandPlan, Selection } from '../plan/read-plan.js';

/** The context URL of a collection or a record (protocol 10): `$metadata#Property(City,Media(MediaKey))`. */
export function contextUrl(root: string, selection: Selection, selected: boolean): string {
  return `${root}/$metadata#${contextPath(selection)}${projection(selection, selected)}`;
}

/** The name that stands for a selection's set. */
export function contextPath({ type }: Selection): string {
  return type.entitySet ?? type.qualifiedName;
}

function projection(selection: Selection, selected: boolean): string {
  const names = selected ? [...selection.columns.flatMap(({ name, paths = [name] }) => paths), ...selection.computed.map(({ name }) => name)] : [];
  const open = selected && selection.open !== undefined && selection.open !== 'all' ? [...selection.open] : [];
  // Addresses and numbers of records are no expanded records (protocol 10.9).
  const expands = selection.expands.filter(({ form }) => form === 'records').map(expandProjection);
  const items = [...names, ...open, ...expands];
  return items.length === 0 ? '' : `(${items.join(',')})`;
}

/** An expanded property in a context URL. */
export function expandProjection({ name, selection }: ExpandPlan): string {
  const whole = selection.columns.length === Object.keys(selection.type.fields).length && selection.columns.every(({ paths }) => paths === undefined);
  return `${name}${projection(selection, !whole) || '()'}`;
}
