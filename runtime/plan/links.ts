import { columnOf, navigationOf, targetOf, type EntityContainer, type EntityType, type Field, type Navigation } from '../edm/index.js';
import { nestedNavigationOf } from './path/nested-path.js';
import { errors } from '../errors/catalogue.js';
import type { ExpandItem } from '../uri/query-options.js';
import { withField, type Relation } from './relation.js';
import type { Scope } from './scope.js';

/** The properties that no client can name, one for each column in which a navigation property meets its target. */
export function linkNames(name: string, { links }: Relation): readonly string[] {
  return [...links].filter(([, link]) => link.name === name).map(([property]) => property);
}

/** The same relation with these properties, so that the columns are kept by what keeps properties. */
export function withLinks(relation: Relation, name: string, navigation: Navigation, container: EntityContainer): Relation {
  // The rows of a table that joins two have the record's number.
  const join = navigation.through ? { '#id': navigation.through.own } : navigation.join;
  return Object.entries(join).reduce<Relation>((before, [own, column], index) => {
    const property = `#${name}.${index}`;
    const field = fieldBehind(own, relation.type) ?? meetingField(fieldBehind(column, targetOf(container, navigation)));
    const { target, collection, through, source } = navigation;
    const links = new Map(before.links).set(property, {
      name,
      target,
      column,
      ...(collection && { collection }),
      ...(through && { through }),
      ...(source !== undefined && { source }),
    });
    return { ...withField(before, property, { ...field, column: own }), links };
  }, relation);
}

function fieldBehind(column: string, type: EntityType): Field | undefined {
  return Object.entries(type.fields).find(([name]) => columnOf(type, name) === column)?.[1];
}

// A column that was computed has the type of the one that it meets; numbers of records are no properties.
function meetingField(field: Field | undefined): Field {
  return { type: field?.type ?? 'Edm.Int64', nullable: true };
}

/** What is expanded without being asked for, and what the request names of records, as links too. */
export function withAskedLinks(relation: Relation, { container, named }: Pick<Scope, 'container' | 'named'>): Relation {
  const { type, entity, expands } = relation;
  const isNamed = (name: string): boolean => named?.has(name.slice(name.lastIndexOf('/') + 1)) === true || named?.has('*') === true;
  const names = new Set([
    ...expands.map((item) => linkOf(item, relation, container)),
    ...(entity ? Object.keys(type.navigation).filter(isNamed) : []),
  ]);
  return [...names].reduce((before, name) => {
    const navigation = navigationOf(type, name);
    return navigation === undefined || linkNames(name, before).length > 0 ? before : withLinks(before, name, navigation, container);
  }, relation);
}

/** The navigation property that an item expands: the record's own, or one of a complex value under its path. */
export function linkOf({ path }: Pick<ExpandItem, 'path'>, { type }: Pick<Relation, 'type'>, container: EntityContainer): string {
  const names = path.map(({ name }) => name);
  return nestedNavigationOf(type, names, container)?.path ?? names[0] ?? '';
}

/** The navigation properties that links make, over the columns that the properties now have. */
export function navigationOver(links: Relation['links'], fields: EntityType['fields']): EntityType['navigation'] {
  const table: { [name: string]: Navigation } = {};
  for (const [property, { name, column, ...navigation }] of links) {
    const own = fields[property]?.column ?? property;
    const { through } = navigation;
    table[name] = through
      ? { ...navigation, join: {}, through: { ...through, number: own } }
      : { ...navigation, join: { ...table[name]?.join, [own]: column } };
  }
  return table;
}

/** The links of several sequences, which have one set behind them. */
export function sharedLinks(relations: readonly Relation[], scope: Scope): Relation['links'] {
  const shared = new Map<string, Relation['links'] extends ReadonlyMap<string, infer Link> ? Link : never>();
  for (const [property, link] of relations.flatMap(({ links }) => [...links])) {
    const known = shared.get(property) ?? link;
    if (JSON.stringify(known) !== JSON.stringify(link))
      throw errors
        .typeMismatch(`${link.name} leads to different records in the sequences of concat; choose another name in one of them.`)
        .at(scope.option);
    shared.set(property, link);
  }
  return shared;
}

/** The column that tells whether a row shows a navigation property at all. */
export function linkPresence(name: string, { presence }: Relation): string | undefined {
  return presence.get(`#${name}.0`);
}
