import { own, wayTo, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { parseValue } from '../json/parse-json.js';
import { valuesOn } from '../json/values-on.js';
import { rootOf } from '../plan/caller.js';
import { shownAt } from '../plan/value/changed-items.js';

/** A fault for each item that is to be stored and leads nowhere, or contains nothing, where the model does not let it be without. */
export function missingInItems(
  type: EntityType,
  values: StoredRecord,
  container: EntityContainer,
  told: readonly ErrorDetail[] = [],
): readonly ErrorDetail[] {
  return neededWays(type).flatMap(({ path, members }) => {
    const [member = ''] = members;
    const root = rootOf(path);
    const [value, way] = [values.get(root), wayTo(type, path).names.get(root)];
    if (way === undefined || typeof value !== 'string') return [];
    const shown = member.startsWith('#') ? path.slice(path.lastIndexOf('/') + 1) : member;
    const lacking = valuesOn(parseValue(value), way, [root], container)
      .filter(({ json }) => members.every((one) => (json.members.get(one) ?? null) === null))
      .map(({ names }) => `${shownAt(names)}/${shown}`);
    return lacking.filter((at) => !told.some(({ target }) => target === at)).map((at) => errors.missingRequired(at).at(at).asDetail());
  });
}

/** What items must lead to or contain, and the members that say so, of which one is enough. */
function neededWays({
  itemNavigation = {},
  anyItemNavigation = {},
}: EntityType): readonly { readonly path: string; readonly members: readonly string[] }[] {
  const membersOf = (path: string): readonly string[] => Object.keys(own(itemNavigation, path)?.join ?? {}).slice(0, 1);
  const single = Object.entries(itemNavigation)
    .filter(([, { required }]) => required)
    .map(([path]) => ({ path, members: membersOf(path) }));
  const any = Object.entries(anyItemNavigation)
    .filter(([, { required }]) => required)
    .map(([path, { paths }]) => ({ path, members: paths.flatMap(membersOf) }));
  return [...single, ...any];
}

/** Whether items cannot be without a record of this type that each contains. */
export function isNeededByItem({ inItem, name }: EntityType, { entityTypes }: EntityContainer): boolean {
  return (
    inItem === true &&
    Object.values(entityTypes).some(({ itemNavigation = {} }) =>
      Object.keys(itemNavigation).some((path) => {
        const navigation = own(itemNavigation, path);
        return navigation?.required === true && navigation.contains !== undefined && navigation.target === name;
      }),
    )
  );
}
