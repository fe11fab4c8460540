import { own } from '../../runtime/edm/index.js';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import type { Checked } from './check.js';
import { type QueryForm, readForm } from './form.js';
import { type RequestText, toRequest } from './request-text.js';

/** The facts about a query that the page shows beside its text. */
export interface Described {
  /** The path and query of the request, percent-encoded. */
  readonly address: string;
  /** The entity type that the path leads to, by its name in the tables. */
  readonly type?: string;
  readonly kind: string;
  readonly form?: QueryForm;
}

/** Describes a query as far as it could be parsed and planned. */
export function describe(read: RequestText, checked: Checked | undefined, tables: ShownTables | undefined): Described {
  const { path, query } = toRequest(read);
  const target = checked?.target;
  const name = target && 'type' in target ? nameOf(target.type, tables) : undefined;
  return {
    address: query === '' ? path : `${path}?${query}`,
    kind: target === undefined ? 'unknown' : 'suffix' in target && target.suffix !== '' ? 'value' : target.kind,
    ...(name !== undefined && { type: name }),
    ...(checked?.options && { form: readForm(checked.options) }),
  };
}

function nameOf(type: { readonly name: string; readonly place?: string }, tables: ShownTables | undefined): string | undefined {
  const name = `${type.name}${type.place ?? ''}`;
  return tables && own(tables.container.entityTypes, name) ? name : undefined;
}
