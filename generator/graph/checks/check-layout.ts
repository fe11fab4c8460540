import { faults, type Report } from '../../faults.js';
import type { EntityNode } from '../model-graph.js';
import type { StorageLayout } from '../storage.js';

/** The fewest numbers of a partition: each costs a plan and a file. */
const fewestRows = 100;

/** A thousand years: PostgreSQL has no times before 4713 BC. */
const mostDays = 365_000;

/** Checks that a database can divide the tables as Rules.StorageLayout asks. */
export function checkLayout(entities: readonly EntityNode[], report: Report): void {
  for (const entity of entities) {
    const { layout, entitySet = entity.name } = entity;
    if (layout === undefined) continue;
    const found = [...commonFaults(entity), ...(layout.distributed ? distributionFaults : partitionFaults)(entity, layout, entities)][0];
    if (found !== undefined) report(faults.storageLayout(layout.at, entitySet, ...found));
  }
}

type Found = readonly [why: string, hint: string];

const madeOtherwise = 'has keys that are not made from the number of the record, and no part knows those of the others';

function commonFaults({ layout, hierarchy, parents, keyGeneration, events, streams }: EntityNode): readonly Found[] {
  if (layout?.distributed && layout.partitionRows !== undefined)
    return [['is both distributed and partitioned', 'Choose one; each node keeps its own part small.']];
  if (hierarchy.discriminated || hierarchy.root === undefined || parents.length > 0)
    return [['has types that derive from each other, or is contained', 'Divide a set of one type.']];
  if (streams.length > 0) return [['has media streams, whose bytes are in another table', 'Divide a set without streams.']];
  // A key is unique only together with the column that divides; one made from the number is unique by itself.
  if (events === undefined && keyGeneration?.strategy !== 'sequence')
    return [[madeOtherwise, 'Add Rules.KeyGeneration with the strategy Sequence to the key.']];
  return [];
}

const stampHint = 'Add Rules.Generated with the Value <Apply Function="odata.now"/> to a property of Edm.DateTimeOffset.';

function partitionFaults(entity: EntityNode, layout: StorageLayout, entities: readonly EntityNode[]): readonly Found[] {
  const { partitionRows, keptDays } = layout;
  if (partitionRows === undefined || partitionRows < fewestRows)
    return [[`needs PartitionRows of at least ${fewestRows}`, 'A million is a good number for a busy table.']];
  if (entity.events !== undefined)
    return keptDays === undefined ? [] : [['has KeptDays, but GABLE_CHANGES_KEPT says how long changes are kept', 'Remove KeptDays.']];
  if (keptDays !== undefined && keptDays < 1) return [['has KeptDays below 1', 'Write a number of days, 1 or more.']];
  if (keptDays !== undefined && keptDays > mostDays)
    return [[`has KeptDays over ${mostDays}`, `Write a number of days up to ${mostDays}, or leave KeptDays out to keep all.`]];
  if (keptDays !== undefined && stampOf(entity) === undefined)
    return [['has KeptDays, but no property with the time of the creation', stampHint]];
  const [other] = relatedTo(entity, entities);
  return other === undefined
    ? []
    : [[`is related to ${other.name} by a foreign key`, 'Partition a set that refers to none, such as a history.']];
}

/** The property with the time at which a record was created. */
export function stampOf({ rules, fields }: EntityNode): string | undefined {
  const stamps = Object.entries(rules.onInsert).filter(([, { kind }]) => kind === 'now');
  return stamps.map(([name]) => name).find((name) => fields.some((node) => node.name === name && !node.field.more));
}

function relatedTo({ table, navigation }: EntityNode, entities: readonly EntityNode[]): readonly EntityNode[] {
  const tables = navigation.flatMap(({ relation, joinTable }) => [
    ...(relation === undefined ? [] : [relation.principal]),
    ...(joinTable === undefined ? [] : joinTable.columns.map(({ principal }) => principal)),
  ]);
  return entities.filter((other) => tables.includes(other.table) || other.navigation.some(({ relation }) => relation?.principal === table));
}

function distributionFaults(entity: EntityNode, _layout: StorageLayout, entities: readonly EntityNode[]): readonly Found[] {
  const { table, events } = entity;
  if (events !== undefined) return [['has the changes of other sets, which have one order', 'Distribute the sets whose records are many.']];
  const isPart = (other: EntityNode): boolean => other.layout?.distributed === true || goesWith(other) !== undefined;
  const goesWith = (other: EntityNode): EntityNode | undefined =>
    entities.find((root) => root.layout?.distributed && other.navigation.some(({ relation }) => isOwned(relation, root)));
  for (const other of entities.filter((one) => one === entity || goesWith(one) === entity)) {
    const strange = other.navigation.find(
      ({ relation }) =>
        relation !== undefined &&
        !isOwned(relation, goesWith(other)) &&
        entities.some((one) => one.table === relation.principal && isPart(one)),
    );
    const why = `is distributed, but ${other.name}/${strange?.name} refers from one distributed record to another`;
    if (strange !== undefined) return [[why, 'Nodes cannot check such references; remove the navigation property.']];
  }
  const outside = entities.find(
    (other) =>
      !isPart(other) &&
      other.navigation.some(
        ({ relation, joinTable }) => relation?.principal === table || joinTable?.columns.some(({ principal }) => principal === table),
      ),
  );
  const why = `is distributed, but ${outside?.name} refers to its records without going with them on deletion`;
  return outside === undefined ? [] : [[why, 'Let OnDelete cascade from it, or remove the navigation property.']];
}

// A reference by number that is always there and is deleted with its record.
function isOwned(relation: EntityNode['navigation'][number]['relation'], root: EntityNode | undefined): boolean {
  return relation?.principal === root?.table && relation?.onDelete === 'cascade' && relation?.internal?.nullable === false;
}
