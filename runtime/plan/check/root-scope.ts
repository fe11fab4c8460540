import type { EntityType } from '../../edm/index.js';
import type { Checks, RequestScope, Scope } from '../scope.js';
import { checkCondition, checkExpr } from './check-expr.js';

/** The functions that a scope has for the expressions within paths. */
export const checks: Checks = { expr: checkExpr, condition: checkCondition };

/** The scope of the addressed entities, each of which is also `$this`: next links of expanded collections use it. */
export function rootScope(
  { type, alias }: { readonly type: EntityType; readonly alias: string },
  { container, caller, aliases }: RequestScope,
): Scope {
  const implicit = { kind: 'record' as const, source: { alias, table: type.table }, type };
  return {
    option: '$filter',
    container,
    caller,
    aliases,
    implicit,
    variables: new Map([
      ['$it', implicit],
      ['$this', implicit],
    ]),
    checks,
    onRestricted: () => undefined,
  };
}
