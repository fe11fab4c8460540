import { fieldOf, navigationOf, type EntityType, type Navigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import { castHint } from './check/type-cast.js';
import { refuseContained } from './check/unplanned.js';
import type { Scope } from './scope.js';

/** The navigation property with the name; throws with a suggestion for an unknown one. */
export function requireNavigation(name: string, { type, scope }: { readonly type: EntityType; readonly scope: Scope }): Navigation {
  const navigation = navigationOf(type, name);
  if (navigation === undefined && fieldOf(type, name))
    throw errors
      .typeMismatch(
        `${name} is not a navigation property${withinHint(name, type)}; it is returned without $expand, or with $select=${name}.`,
      )
      .at(name);
  if (navigation === undefined) {
    throw errors
      .unknownName(
        `navigation property ${name}`,
        type.name,
        goneHint(name, scope) ||
          expandHint(name, type) ||
          castHint(name, type, scope.container) ||
          suggestion(name, Object.keys(type.navigation)),
      )
      .at(name);
  }
  refuseContained(type, name, navigation);
  return navigation;
}

// The value of a complex property may have navigation properties.
function withinHint(name: string, type: EntityType): string {
  const within = Object.keys(type.navigation).find((path) => path.startsWith(`${name}/`));
  return within === undefined ? '' : ` on its own, like ${within}`;
}

function goneHint(name: string, { has }: Scope): string {
  return has?.({ kind: 'member', at: 0, path: [{ name, at: 0 }] })?.kind === 'constant'
    ? ` A group has only the navigation properties that it was grouped by.`
    : '';
}

function expandHint(name: string, type: EntityType): string {
  if (name.toLowerCase() === 'all') return ' Write $expand=*.';
  const [first = '', ...rest] = name.split('.');
  return navigationOf(type, first) && rest.length > 0 ? ` Write ${first}($expand=${rest.join('/')}).` : '';
}
