import { memoized } from '../../runtime/edm/memoized.js';
import type { EntityNode, NavigationNode } from '../graph/model-graph.js';
import { createdAt, isMadeWithin, typesWithin } from './entity-kinds.js';

/** A navigation property in the body of a create. */
export interface NestedCreate {
  readonly node: NavigationNode;
  /** The types of new entities: the target's, and those that derive from it. */
  readonly creates: readonly EntityNode[];
  /** Whether it refers to existing entities. */
  readonly refers: boolean;
  /** Members of the new entities that the parent determines: properties, and the navigation properties back to it. */
  readonly given: readonly string[];
}

/** The navigation properties by which a body sets its own reference, because no property of the entity determines the target. */
export function settable({ navigation }: EntityNode): readonly NavigationNode[] {
  return navigation.filter(
    ({ name, navigation: { join, collection, container, contains, follows, mirrors } }) =>
      !name.includes('/') &&
      mirrors === undefined &&
      follows === undefined &&
      !(collection || container || contains) &&
      Object.keys(join).every((column) => column.startsWith('#') && column !== '#id'),
  );
}

/** The navigation properties that a create may have: with new entities (deep insert), or with references. */
export const nestedCreates = memoized((entity: EntityNode, entities: readonly EntityNode[]): readonly NestedCreate[] => {
  const own = new Set(settable(entity));
  return entity.navigation
    .filter(({ name, navigation: { container, follows } }) => !name.includes('/') && !container && follows === undefined)
    .map((node) => nestedCreate(node, entities))
    .filter(({ node, creates, refers }) => own.has(node) || creates.length > 0 || (refers && node.navigation.collection));
});

function nestedCreate(node: NavigationNode, entities: readonly EntityNode[]): NestedCreate {
  const { navigation } = node;
  const target = byName(entities).get(navigation.target);
  if (target === undefined) return { node, creates: [], refers: true, given: [] };
  const isOwn = isOwnColumn(node, target);
  const creates = typesWithin(target, entities).filter((one) => isCreatable(node, one, entities));
  const refers = !navigation.contains && (isOwn || navigation.through !== undefined || isMovable(node, target));
  return { node, creates, refers, given: isOwn || navigation.through ? [] : givenMembers(node, target) };
}

const byName = memoized((entities: readonly EntityNode[]) => new Map(entities.map((entity) => [entity.name, entity])));

// As the service decides: a contained entity is created below its parent only, and restrictions of the navigation property precede.
function isCreatable({ navigation }: NavigationNode, target: EntityNode, entities: readonly EntityNode[]): boolean {
  const { contains, insertable } = navigation;
  const isContained = target.place?.kind === 'Containment';
  if (isContained !== (contains === true) || createdAt(target.first ?? target, entities) === undefined) return false;
  return insertable ?? (isMadeWithin(target) || target.routes.some(({ operation }) => operation === 'createEntity'));
}

// The reference is a property of the target, which clients may change.
function isMovable(node: NavigationNode, target: EntityNode): boolean {
  const columns = linkingColumns(node);
  return (
    target.routes.some(({ operation }) => operation === 'updateEntity' || operation === 'replaceEntity') &&
    !target.fields.some(({ name, column }) => columns.has(column) && (target.key.includes(name) || target.rules.immutable.includes(name)))
  );
}

function isOwnColumn({ navigation: { collection, join } }: NavigationNode, target: EntityNode): boolean {
  const keys = new Set([
    '#id',
    ...target.fields.flatMap(({ name, column }) => (target.key.includes(name) ? [column] : [])),
    ...[...target.keyColumns.values()].map(({ column }) => column),
  ]);
  return !collection && Object.values(join).every((column) => keys.has(column));
}

function linkingColumns({ navigation: { join, mirroredBy } }: NavigationNode): ReadonlySet<string> {
  return new Set([...Object.values(join), ...Object.values(mirroredBy ?? {})]);
}

function givenMembers(node: NavigationNode, target: EntityNode): readonly string[] {
  const columns = linkingColumns(node);
  const { computed, initialOnly } = target.rules;
  const fields = target.fields.filter(({ name, column }) => columns.has(column) && ![...computed, ...initialOnly].includes(name));
  const back = target.navigation.filter(
    ({ name, navigation: { join, mirrors, collection, contains, container, follows } }) =>
      !(name.includes('/') || collection || contains || container || follows) &&
      Object.keys({ ...join, ...mirrors }).some((column) => column !== '#id' && columns.has(column)),
  );
  return [...fields.map(({ name }) => name), ...back.flatMap(({ name }) => [name, `${name}@odata.bind`])];
}
