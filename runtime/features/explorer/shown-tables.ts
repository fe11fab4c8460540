import type { EntityContainer, EntityType, Field, Permission } from '../../edm/index.js';
import { accessTo, type Caller } from '../../plan/caller.js';
import type { PlanOptions } from '../../plan/limits.js';

/** The model's tables as the caller may know them, and the caller's scopes, from which the explorer plans. */
export interface ShownTables {
  readonly container: EntityContainer;
  readonly scopes: readonly string[];
  readonly settings: PlanOptions;
  /** Whether the service only reads. */
  readonly readOnly: boolean;
  /** The names of the operations' handlers that are written. */
  readonly handlers?: readonly string[];
  /** Whether the caller may see statements and their plans. */
  readonly explains?: boolean;
}

/**
 * The tables without what the caller may not read. A hidden property keeps its name and type, which `$metadata` tells
 * everybody, so that the explorer refuses it in the words of the service.
 */
export function shownTables(container: EntityContainer, caller: Caller): EntityContainer {
  const types = Object.entries(container.entityTypes).map(([name, type]) => [name, shownType(type, caller)] as const);
  return { ...container, entityTypes: Object.fromEntries(types) };
}

function shownType(type: EntityType, caller: Caller): EntityType {
  const access = accessTo(type, 'read', caller);
  const isHidden = (name: string): boolean => !access.allowed || access.restricted.has(name);
  const { conditions: _, mirroredIn: __, cascadesTo: ___, detaches: ____, ...shown } = type;
  const fields = Object.entries(type.fields).map(([name, field]) => [name, isHidden(name) ? bare(field) : field] as const);
  const permissions = Object.entries(type.permissions).map(([name, granted]) => [name, granted?.map(withoutRows)] as const);
  return {
    ...shown,
    fields: Object.fromEntries(fields),
    permissions: Object.fromEntries(permissions) as unknown as EntityType['permissions'], // One entry for each of them.
    ...(type.transitions && isHidden(type.transitions.property) && { transitions: undefined as never }),
  };
}

// Values, limits and defaults of a hidden property are hidden too.
function bare(field: Field): Field {
  return Object.fromEntries(Object.entries(field).filter(([name]) => !values.has(name))) as unknown as Field;
}

const values: ReadonlySet<string> = new Set([
  'allowedValues',
  'lookup',
  'default',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'pattern',
]);

function withoutRows({ scope, except }: Permission): Permission {
  return { scope, except };
}
