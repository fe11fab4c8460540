import type { StatementStructures } from './ts-morph.js';
import { isShownName } from '../../runtime/edm/lookup.js';
import type { EntityNode, ModelGraph, NavigationNode } from '../graph/model-graph.js';
import {
  bodyOf,
  readMembers,
  writableBases,
  writableInterface,
  type Shape,
  enumerationTypes,
  shapeUses,
  typeImports,
  type TypeUse,
} from './body-interfaces.js';
import { docText, factsOf } from './describe.js';
import { createdAt, insertedAlong, isCreatedByJson, updatedAt } from './entity-kinds.js';
import { printPropertyName, printString } from './print-literal.js';
import { isNumber, keyType, union, unionOf, docs, dynamicMembers, streamMembers } from './property-types.js';
import { createReferences, referenceUses, updateReferences } from './reference-members.js';
import { type Emitted, exportedInterface, exportedType } from './structures.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { grouped } from '../../runtime/edm/grouped.js';

/** The types of one entity: the record as read, its key, the bodies, and the unions of closed lists. */
export const emitTypes = memoized((whole: EntityNode, { entities, complexTypes }: ModelGraph): Emitted => {
  const entity = withShown(whole);
  const shape = entityShape(whole, entities);
  const { base } = entity.hierarchy;
  const names = new Set(ownNavigation(entity).map(({ navigation }) => navigation.target));
  const targets = new Set(entities.filter(({ name }) => names.has(name)).map(({ qualifiedName }) => qualifiedName));
  const others = entities.filter(
    (other) =>
      other !== whole && other.first === undefined && (other.qualifiedName === base?.qualifiedName || targets.has(other.qualifiedName)),
  );
  const created = createdAt(whole, entities);
  const uses: readonly TypeUse[] = [
    ...others.map((other) => [other, other.typeName] as const),
    ...(Object.values(shape.bodies).some((rules) => rules !== undefined) ? writableBases(shape) : []),
    ...(created ? referenceUses(created, entities) : []),
    ...shapeUses(shape, complexTypes),
  ];
  return [
    ...typeImports(uses, entity.folder),
    ...enumerationTypes([...shape.own, ...entity.keyColumns.values()]),
    ...shape.own.flatMap(unionOf),
    ...writableInterface(shape, complexTypes),
    entityOf(entity, shape, { entities, complexTypes }),
    ...(entity.key.length === 0 ? [] : [keyOf(entity)]),
    ...createOf(whole, shape, { entities, complexTypes }),
    ...updateOf(whole, shape, { entities, complexTypes }),
  ];
});

// Internal properties are in no type.
function withShown(entity: EntityNode): EntityNode {
  const shown = entity.fields.filter(({ name }) => isShownName(name));
  return shown.length === entity.fields.length ? entity : { ...entity, fields: shown };
}

type Types = Pick<ModelGraph, 'entities' | 'complexTypes'>;

const entityShape = memoized(buildShape);

const heirsByBase = memoized((entities: readonly EntityNode[]) =>
  grouped(
    entities.filter(({ first }) => first === undefined).flatMap((heir) => heir.hierarchy.bases.map((base) => ({ heir, base }))),
    ({ base }) => base,
  ),
);

function buildShape(whole: EntityNode, entities: readonly EntityNode[]): Shape {
  const entity = withShown(whole);
  const { base } = whole.hierarchy;
  const [created, updated] = [createdAt(whole, entities), updatedAt(whole, entities)];
  return {
    node: whole,
    base: base && entityShape(base.first ?? base, entities),
    heirs: () => (heirsByBase(entities).get(whole.qualifiedName) ?? []).map(({ heir }) => entityShape(heir, entities)),
    fields: entity.fields,
    own: entity.fields.filter(({ inherited }) => !inherited),
    hasOthers: ownNavigation(entity).length + ownStreams(entity).length > 0,
    bodies: {
      create: created && { required: created.rules.requiredOnCreate, without: notCreated(created) },
      update: updated && { required: updated.rules.requiredOnUpdate, without: notUpdated(updated) },
    },
    factsOf: (field) => factsOf(field, entity),
  };
}

function ownStreams({ streams }: EntityNode): EntityNode['streams'] {
  return streams.filter(({ inherited, name }) => !inherited && !name.includes('/'));
}

function notCreated({ rules }: EntityNode): ReadonlySet<string> {
  return new Set([...rules.computed, ...rules.initialOnly]);
}

function notUpdated({ key, rules }: EntityNode): ReadonlySet<string> {
  return new Set([...key, ...rules.computed, ...rules.immutable]);
}

function entityOf(entity: EntityNode, shape: Shape, { entities, complexTypes }: Types): StatementStructures {
  const navigation = ownNavigation(entity).map((node) => ({
    name: printPropertyName(node.name),
    hasQuestionToken: true,
    type: navigationType(node, entities),
    docs: docs(docText(node.description, 'Present if $expand requests it')),
  }));
  const { base } = entity.hierarchy;
  return exportedInterface(entity.typeName, docs(docText(entity.description ?? `A record of ${entity.name}`)), {
    extends: [
      ...(base ? [(base.first ?? base).typeName] : []),
      ...writableInterface(shape, complexTypes).map(() => shape.node.derived.writable),
    ],
    properties: [...readMembers(shape, complexTypes), ...ownStreams(entity).flatMap(streamMembers), ...navigation],
    ...dynamicMembers(entity),
  });
}

function ownNavigation({ navigation }: EntityNode): readonly NavigationNode[] {
  return navigation.filter((node) => !node.inherited && !node.name.includes('/'));
}

function recordTypeOf(target: string, entities: readonly EntityNode[]): string {
  const found = entities.find(({ name }) => name === target);
  return (found?.first ?? found)?.typeName ?? 'never';
}

function navigationType({ navigation, nullable }: NavigationNode, entities: readonly EntityNode[]): string {
  const target = recordTypeOf(navigation.target, entities);
  if (navigation.collection) return `${target}[]`;
  return nullable ? `${target} | null` : target;
}

function keyOf({ typeName, derived, key, keyColumns, fields, name }: EntityNode): StatementStructures {
  const [first = ''] = key;
  const typed = new Map<string, Parameters<typeof keyType>[0]>([
    ...fields.filter(isNumber).map((field) => [field.name, field] as const),
    ...keyColumns,
  ]);
  const plain = key.filter((one) => !typed.has(one));
  const within = key.flatMap((one) => {
    const column = typed.get(one);
    return column === undefined ? [] : [`${printPropertyName(one)}: ${keyType(column)}`];
  });
  const whole = [
    ...(plain.length === 0 ? [] : [`Pick<${typeName}, ${union(plain)}>`]),
    ...(within.length === 0 ? [] : [`{ ${within.join('; ')} }`]),
  ].join(' & ');
  const single = typed.get(first);
  const only = single ? keyType(single) : `${typeName}[${printString(first)}]`;
  const type = key.length === 1 ? only : whole;
  return exportedType(derived.key, [docText(`The key of ${name}`)], type);
}

function createOf(whole: EntityNode, shape: Shape, { entities, complexTypes }: Types): readonly StatementStructures[] {
  const created = createdAt(whole, entities);
  if (created === undefined) return [];
  const { hierarchy, qualifiedName } = created;
  // In the set of a base type a new entity requires its `@odata.type`.
  const stated = hierarchy.setType === undefined ? [] : [{ name: "'@odata.type'", type: printString(`#${qualifiedName}`) }];
  const { members, choices } = createReferences(created, entities);
  return bodyOf(shape, { kind: 'create', doc: createDoc(created, entities), members: [...stated, ...members], choices }, complexTypes);
}

function createDoc(created: EntityNode, entities: readonly EntityNode[]): string {
  if (isCreatedByJson(created)) return `The body of \`POST /${addressOf(created)}\``;
  const [along] = insertedAlong(entities).get(created.place?.name ?? '') ?? [];
  return along
    ? `A new record, created along \`/${addressOf(along.parent)}(…)/${along.name}\` or within a body`
    : `A new \`/${addressOf(created)}\` within a body`;
}

function addressOf({ place }: EntityNode): string {
  return place?.name.replace('.', '(…)/') ?? '';
}

function updateOf(whole: EntityNode, shape: Shape, { entities, complexTypes }: Types): readonly StatementStructures[] {
  const updated = updatedAt(whole, entities);
  if (updated === undefined) return [];
  const doc = `The body of \`PATCH /${addressOf(updated)}${updated.place?.kind === 'Singleton' ? '' : '(…)'}\``;
  return bodyOf(shape, { kind: 'update', doc, members: updateReferences(updated) }, complexTypes);
}
