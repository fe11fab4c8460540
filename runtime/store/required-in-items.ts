import { isOfComplexType, own, stepsOf, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isArray, isObject, type Json } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';

/** A fault for each item that is to be stored and leads nowhere, or contains nothing, where the model does not let it be without. */
export function missingInItems({ itemNavigation = {} }: EntityType, values: StoredRecord, container: EntityContainer, told: readonly ErrorDetail[] = []): readonly ErrorDetail[] {
  return Object.entries(itemNavigation).filter(([, { required }]) => required).flatMap(([path, { join }]) => {
    const { steps, name } = stepsOf(path);
    const [member = ''] = Object.keys(join);
    const [root, ...rest] = steps;
    const value = root && values.get(root.name);
    if (root === undefined || typeof value !== 'string') return [];
    const shown = member.startsWith('#') ? name : member;
    const lacking = lackingIn(parseValue(value), [root, ...rest], 0, root.name, { member, container }).map((at) => `${at}/${shown}`);
    return lacking.filter((at) => !told.some(({ target }) => target === at)).map((at) => errors.missingRequired(at).at(at).asDetail());
  });
}

type Steps = ReturnType<typeof stepsOf>['steps'];

interface Sought {
  readonly member: string;
  readonly container: EntityContainer;
}

// Where the values stand that the steps lead to, and that do not have the member.
function lackingIn(json: Json, steps: Steps, index: number, at: string, sought: Sought): readonly string[] {
  if (isArray(json)) return json.items.flatMap((item, place) => lackingIn(item, steps, index, `${at}[${place}]`, sought));
  if (!isObject(json)) return [];
  const cast = steps[index]?.type;
  if (cast !== undefined && !isOfComplexType(json.members.get('@odata.type') ?? null, cast, sought.container)) return [];
  const next = steps[index + 1];
  if (next !== undefined) return lackingIn(json.members.get(next.name) ?? null, steps, index + 1, `${at}/${next.name}`, sought);
  return (json.members.get(sought.member) ?? null) === null ? [at] : [];
}

/** Whether items cannot be without a record of this type that each contains. */
export function isNeededByItem({ inItem, name }: EntityType, { entityTypes }: EntityContainer): boolean {
  return inItem === true && Object.values(entityTypes).some(({ itemNavigation = {} }) => Object.keys(itemNavigation).some((path) => {
    const navigation = own(itemNavigation, path);
    return navigation?.required === true && navigation.contains !== undefined && navigation.target === name;
  }));
}
