import { qualify, type AnyNavigation, type EntityType } from '../../edm/index.js';
import { anyNameOf, anyNavigationOf } from '../path/nested-path.js';
import { isTypeOrBase } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import { ODataError, type ErrorDetail } from '../../errors/odata-error.js';
import { isArray, isObject, type Json } from '../../json/json.js';
import { armsOf, readableArms, type Arm } from '../any-navigation.js';
import { asTarget, containedFault, twiceFault, type GraphContext } from './plan-link.js';
import { idOf } from './plan-members.js';

/** A member of a body; `places` say where its items stand, where it has some of an array's. */
export type Member = readonly [member: string, json: Json, places?: readonly string[]];

const spoken = /@(?:odata\.)?(?:bind|delta)$/;

/** What a body says of navigation properties to records of any type, as members of those to each type: of one record, one leads somewhere, and the others nowhere. */
export function armMembers(
  type: EntityType,
  body: Iterable<Member>,
  operation: 'insert' | 'update',
  context: GraphContext,
): { readonly members: readonly Member[]; readonly faults: readonly ErrorDetail[] } {
  const said = new Map<string, string>();
  const faults: ErrorDetail[] = [];
  const members = [...body].flatMap(([member, json]): readonly Member[] => {
    const several = anyNavigationOf(type, member.replace(spoken, ''));
    if (several?.collection)
      return collectionMembers({ type, any: several, name: member.replace(spoken, ''), member, json, context }, operation, faults);
    const name = member.replace(/@(?:odata\.)?bind$/, '');
    const any = anyNavigationOf(type, name);
    const whole = any === undefined ? anyNameOf(type, name) : undefined;
    if (whole !== undefined) {
      faults.push(errors.unknownBodyProperty(member, type.name, ` Write ${whole}.`).at(member).asDetail());
      return [];
    }
    if (any === undefined) return [[member, json]];
    if (any.type !== undefined) {
      faults.push(containedFault(name));
      return [];
    }
    const before = said.get(name);
    said.set(name, member);
    const found = before === undefined ? chosenArm({ type, any, name, member, json, context }) : twiceFault(name, [before, member]);
    if (found !== undefined && !('path' in found)) {
      faults.push(found);
      return [];
    }
    return wholeOf({ type, any, member, json, found, context }, operation);
  });
  return { members, faults };
}

/** Whether a member of a body speaks of what leads to records of any type. */
export function isOfAny(type: EntityType, member: string): boolean {
  return type.anyNavigation !== undefined && anyNavigationOf(type, member.replace(spoken, '')) !== undefined;
}

interface Said {
  readonly type: EntityType;
  readonly any: AnyNavigation;
  readonly name: string;
  readonly member: string;
  readonly json: Json;
  readonly context: GraphContext;
}

// Each type has those that are its own; what says all that is to be there says of the others that there is none.
function collectionMembers(
  { type, any, name, member, json, context }: Said,
  operation: 'insert' | 'update',
  faults: ErrorDetail[],
): readonly Member[] {
  const suffix = member.slice(name.length);
  const isBound = suffix.endsWith('bind');
  if (!isArray(json)) {
    faults.push(
      errors
        .wrongJsonType(member, `an array of ${isBound ? 'ids' : 'records'}`, 'something else')
        .at(name)
        .asDetail(),
    );
    return [];
  }
  const paths = json.items.map((item, index) => {
    const at = `${name}[${index}]`;
    const found = itemArm({ type, any, name: at, member: isBound ? `${at}${suffix}` : at, json: item, context });
    if (found === undefined || 'path' in found) return found?.path;
    faults.push(found);
    return undefined;
  });
  // Records of types that the caller does not see stay where they are, as those out of sight do.
  const seen = new Set(readableArms(type, any, context).map(({ path }) => path));
  return any.paths.flatMap((path): readonly Member[] => {
    const places = json.items.flatMap((_, index) => (paths[index] === path ? [index] : []));
    if (places.length === 0 && (operation === 'insert' || suffix !== '' || !seen.has(path))) return [];
    return [
      [
        `${path}${suffix}`,
        { kind: 'array', items: places.flatMap((index) => json.items[index] ?? []) },
        places.map((index) => `${name}[${index}]`),
      ],
    ];
  });
}

// What leads to one record may lead to none; what leads to several has no such item.
function itemArm(said: Said): Arm | ErrorDetail | undefined {
  if (said.json !== null) return chosenArm(said);
  return errors
    .wrongJsonType(said.name, said.member === said.name ? 'a record' : 'an id', 'null')
    .at(said.name)
    .asDetail();
}

// A new record that is to lead nowhere does so anyway.
function wholeOf(
  { type, any, member, json, found, context }: Omit<Said, 'name'> & { readonly found: Arm | undefined },
  operation: 'insert' | 'update',
): readonly Member[] {
  const suffix = found && member.includes('@') ? '@odata.bind' : '';
  const chosen: readonly Member[] = found ? [[`${found.path}${suffix}`, json]] : [];
  const others = operation === 'insert' ? [] : armsOf(type, any, context.container).filter(({ path }) => path !== found?.path);
  return [...chosen, ...others.map(({ path }): Member => [path, null])];
}

// An id says by its set where the record is, and a new record by its type.
function chosenArm({ type, any, name, member, json, context }: Said): Arm | ErrorDetail | undefined {
  const arms = armsOf(type, any, context.container);
  if (json === null) return any.required ? lackingAny(name, arms).at(name).asDetail() : undefined;
  const id = typeof json === 'string' && member !== name ? json : isObject(json) && member === name ? idOf(json) : undefined;
  if (id !== undefined) return armOfId(id, name, arms, context);
  if (!isObject(json) || member !== name)
    return errors
      .wrongJsonType(member, member === name ? 'a record' : 'an id', 'something else')
      .at(name)
      .asDetail();
  const stated = json.members.get('@odata.type') ?? json.members.get('@type');
  const types = [...new Set(arms.map(({ target }) => target.qualifiedName))].join(', ');
  if (typeof stated !== 'string')
    return errors
      .missingRequired(
        `${name}/@odata.type`,
        `${name} leads to records of any type, so that a new one must say its own with @odata.type: ${types}.`,
      )
      .at(name)
      .asDetail();
  const qualified = qualify(context.container, stated.slice(stated.lastIndexOf('#') + 1));
  const [found, second] = arms.filter(({ target }) => isTypeOrBase(target, qualified) || (target.derivedTypes ?? []).includes(qualified));
  if (found && second)
    return errors
      .invalidValue(
        qualified,
        `${name}/@odata.type`,
        `: such records are in ${found.target.entitySet} and in ${second.target.entitySet}; create it there, and refer to it`,
      )
      .at(name)
      .asDetail();
  return found ?? errors.invalidValue(stated.slice(0, 128), `${name}/@odata.type`, `: the types are ${types}`).at(name).asDetail();
}

/** The error for a record that has to lead somewhere, with what may be there. */
export function lackingAny(name: string, arms: readonly Arm[]): ODataError {
  const sets = arms.map(({ target }) => target.entitySet ?? target.name);
  return errors.missingRequired(
    name,
    `${name} is required: it leads to a record of ${sets.length < 2 ? sets.join('') : `${sets.slice(0, -1).join(', ')} or ${sets.at(-1)}`}.`,
  );
}

/** The part of a navigation property to records of any type that leads to the record of an id, or the reason why there is none. */
export function armOfId(id: string, name: string, arms: readonly Arm[], { refer }: Pick<GraphContext, 'refer'>): Arm | ErrorDetail {
  const place = refer(id);
  const found = place instanceof ODataError ? undefined : arms.find(({ target }) => asTarget(place, target) !== undefined);
  const sets = arms.map(({ target }) => target.entitySet ?? target.name).join(', ');
  return (
    found ??
    errors
      .invalidReference(id.slice(0, 64), name, arms.length > 1 ? `one of ${sets}` : sets)
      .at(name)
      .asDetail()
  );
}
