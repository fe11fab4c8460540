import { equal } from './operators.js';
import { isNum, whole, type Value } from './values.js';

/** The functions of collections (URL conventions 5.1.1.5 and 5.1.1.6); `hassubset` counts how often an item is there. */
export function ofItems(method: string, all: readonly Value[], part: readonly Value[]): Value {
  const places = Array.from({ length: Math.max(0, all.length - part.length + 1) }, (_, at) => at).filter((at) =>
    part.every((item, index) => equal(all[at + index] ?? null, item)),
  );
  switch (method) {
    case 'contains':
      return places.length > 0;
    case 'indexof':
      return whole(places[0] ?? -1);
    case 'startswith':
      return places.includes(0);
    case 'endswith':
      return places.includes(all.length - part.length);
    case 'hassubset':
      return part.every((item) => often(item, part) <= often(item, all));
    default:
      return isSubsequence(all, part);
  }
}

function often(item: Value, items: readonly Value[]): number {
  return items.filter((one) => equal(one, item)).length;
}

function isSubsequence(all: readonly Value[], [first, ...rest]: readonly Value[]): boolean {
  if (first === undefined) return true;
  const at = all.findIndex((one) => equal(one, first));
  return at >= 0 && isSubsequence(all.slice(at + 1), rest);
}

/** `has` and comparisons of a value of flags; `has` of null is not known. */
export function ofFlags(operator: string, value: Value, wanted: number): Value {
  const flags = isNum(value) ? Number(value.over) : null;
  if (operator === 'has') return flags === null ? null : (flags & wanted) === wanted;
  return (flags === wanted) === (operator === 'eq');
}
