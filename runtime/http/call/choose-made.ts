import type { RecordType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { QueryOptions } from '../../uri/query-options.js';

/** What is left of values that a handler made, and how many there were where $count asks for it. */
export interface ChosenValues<Value> {
  readonly values: readonly Value[];
  readonly count?: number;
}

/** Some of the values that a handler made: `$skip`, `$top` and `$count` need nothing but their places. */
export function chooseMade<Value>(made: readonly Value[], { top, skip = 0, count }: QueryOptions): ChosenValues<Value> {
  const values = made.slice(skip, top === undefined ? undefined : skip + top);
  return { values, ...(count && { count: made.length }) };
}

// These would have to be asked of the database, which has no such records.
const unoffered = ['filter', 'search', 'orderby', 'expand', 'compute', 'apply', 'skiptoken'] as const satisfies readonly (keyof QueryOptions)[];
const ofCollections = ['top', 'skip', 'count'] as const satisfies readonly (keyof QueryOptions)[];

/** Refuses the options that would choose among what was made by a handler, instead of ignoring them. */
export function refuseChoice(options: QueryOptions, name: string, collection: boolean): void {
  const option = unoffered.find((one) => options[one] !== undefined);
  if (option) throw errors.notImplemented(`The option $${option} for values that ${name} makes`).at(`$${option}`);
  const single = collection ? undefined : ofCollections.find((one) => options[one] !== undefined);
  if (single) throw errors.badOption(`$${single} cannot be used with ${name}: it answers with a single value.`).at(`$${single}`);
}

/** The properties of made records that `$select` names; undefined for all. */
export function selectedMade({ select }: QueryOptions, type: RecordType, name: string): ReadonlySet<string> | undefined {
  if (select === undefined || select.some(({ kind }) => kind === 'star')) return undefined;
  return new Set(select.map((item) => {
    const [first, further] = item.kind === 'member' ? item.path : [];
    if (item.kind !== 'member' || first === undefined || further || item.options) throw errors.notImplemented(`A path or options in $select of records that ${name} makes`).at('$select');
    if (type.fields[first.name] === undefined) throw errors.unknownName(`property ${first.name}`, type.name, '').at(first.name);
    return first.name;
  }));
}
