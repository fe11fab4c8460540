import { qualify, type EntityContainer } from '../edm/index.js';
import type { SelectItem } from '../uri/query-options.js';
import type { RecordFormat } from './record-writer.js';

/**
 * An entity has the operations that `$select` names, and none if it selects only properties (URL conventions 5.1.4).
 */
export function selectOperations(format: RecordFormat, items: readonly SelectItem[] | undefined, container: EntityContainer): RecordFormat {
  const { operationsOf, ...others } = format;
  if (items === undefined || operationsOf === undefined) return format;
  const asked = items.flatMap((item) => askedBy(item, container) ?? []);
  if (asked.length === 0) return others;
  return { ...others, operationsOf: (type) => operationsOf(type).filter(({ name }) => asked.some((isAsked) => isAsked(name))) };
}

// An overload is selected by the names of its parameters: `Ns.Function(a,b)`.
function askedBy(item: SelectItem, container: EntityContainer): ((name: string) => boolean) | undefined {
  if (item.kind === 'operations') {
    const namespace = qualify(container, `${item.namespace}.`);
    return (name) => namespace === name.slice(0, nameOf(name).lastIndexOf('.') + 1);
  }
  const [first, second] = item.kind === 'member' ? item.path : [];
  if (item.kind !== 'member' || first === undefined || second !== undefined || !first.name.includes('.')) return undefined;
  const qualified = qualify(container, first.name);
  const whole = item.parameterNames && `${qualified}(${item.parameterNames.join(',')})`;
  return (name) => nameOf(name) === qualified && (whole === undefined || name === qualified || name === whole);
}

function nameOf(overload: string): string {
  return overload.split('(')[0] ?? overload;
}
