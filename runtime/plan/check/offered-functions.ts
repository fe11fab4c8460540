import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { CommonExpr } from '../../expression/ast.js';
import { methods, type Method } from '../../expression/methods.js';
import { functionHint } from './mistaken-names.js';
import type { Scope } from '../scope.js';

/** Functions that are no rows of the table, since a type or conditions are among their arguments. */
const ownForms: readonly string[] = ['cast', 'isof', 'case', 'isdefined'];

/** Refuses a function that is unknown or not among those of the model. */
export function requireOffered(name: string, scope: Scope, given: readonly CommonExpr[] = []): void {
  if (!ownForms.includes(name) && !overloadsOf.has(name)) {
    throw errors
      .unknownName(`function ${name}`, 'OData', functionHint(name, given) || suggestion(name, [...overloadsOf.keys(), ...ownForms]))
      .at(name);
  }
  // An order by the clock is another one on every page, and its links would never end.
  if (name === 'now' && scope.option === '$orderby')
    throw errors.typeMismatch('now() cannot be used in $orderby: its value changes from page to page.').at(scope.option);
  const offered = scope.container.filterFunctions;
  if (offered !== undefined && !offered.includes(name))
    throw errors
      .notImplemented(
        `The function ${name}, which the model does not list in Capabilities.FilterFunctions,`,
        `It offers ${offered.join(', ')}.`,
      )
      .at(scope.option);
}

/** The overloads of each function, by its name. */
export const overloadsOf = groupByName(methods);

function groupByName(rows: readonly Method[]): ReadonlyMap<string, readonly Method[]> {
  const groups = new Map<string, Method[]>();
  for (const row of rows) groups.set(row.name, [...(groups.get(row.name) ?? []), row]);
  return groups;
}
