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
  const names = selected ? selection.columns.map(({ name }) => name) : [];
  const expands = selection.expands.map(expandProjection);
  const items = [...names, ...expands];
  return items.length === 0 ? '' : `(${items.join(',')})`;
}

function expandProjection({ name, selection }: ExpandPlan): string {
  const whole = selection.columns.length === Object.keys(selection.type.fields).length;
  return `${name}${projection(selection, !whole) || '()'}`;
}
