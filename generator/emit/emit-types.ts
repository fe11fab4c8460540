import { StructureKind, type StatementStructures } from 'ts-morph';
import { isShownName } from '../../runtime/edm/hidden-property.js';
import type { EntityNode, FieldNode, ModelGraph, NavigationNode } from '../graph/model-graph.js';
import { bodiesOf, bodyType, isDirect } from './body-types.js';
import { bodyUses, complexImports, enumerationTypes, valueUses, type ComplexUse } from './complex-uses.js';
import { docText, factsOf } from './describe.js';
import { createdAt, updatedAt } from './entity-kinds.js';
import { docs, dynamicMembers, streamMembers } from './extra-members.js';
import { printPropertyName, printString } from './print-literal.js';
import { keyType, typeOf, union, unionOf, type ComplexTypes } from './property-types.js';
import { typeImport, type Emitted } from './structures.js';

/** The types of one entity: the record as read, its key, the bodies, and the unions of closed lists. */
export function emitTypes(whole: EntityNode, { entities, complexTypes }: ModelGraph): Emitted {
  const entity = withShown(whole);
  const declared = [...ownNavigation(entity), ...ownArms(entity)];
  const { base } = entity.hierarchy;
  const names = new Set(declared.map(({ navigation }) => navigation.target));
  const targets = new Set(entities.filter(({ name }) => names.has(name)).map(({ qualifiedName }) => qualifiedName));
  const others = entities.filter(
    (other) =>
      other !== whole && other.first === undefined && (other.qualifiedName === base?.qualifiedName || targets.has(other.qualifiedName)),
  );
  const own = ownFields(entity);
  const bodies: Bodies = { created: shownOf(createdAt(whole, entities)), updated: shownOf(updatedAt(whole, entities)) };
  const statements: readonly StatementStructures[] = [
    ...others.map((other) => typeImport(`../${other.folder}/types.js`, other.typeName)),
    ...enumerationTypes([...own, ...entity.keyColumns.values()]),
    ...complexImports(usesOf(entity, bodies, complexTypes), entity.folder),
    ...own.flatMap(unionOf),
    entityOf(entity, entities, complexTypes),
    ...(entity.key.length === 0 ? [] : [keyOf(entity)]),
    ...createOf(entity, bodies, complexTypes),
    ...updateOf(entity, bodies, complexTypes),
  ];
  return { statements };
}

function shownOf(entity: EntityNode | undefined): EntityNode | undefined {
  return entity && withShown(entity);
}

// What no client can name is in no type.
function withShown(entity: EntityNode): EntityNode {
  const shown = entity.fields.filter(({ name }) => isShownName(name));
  return shown.length === entity.fields.length ? entity : { ...entity, fields: shown };
}

/** The places whose rules the bodies follow, where there are some that take bodies. */
interface Bodies {
  readonly created: EntityNode | undefined;
  readonly updated: EntityNode | undefined;
}

function usesOf(entity: EntityNode, { created, updated }: Bodies, complexTypes: ComplexTypes): readonly ComplexUse[] {
  return [
    ...valueUses(ownFields(entity), complexTypes),
    ...(created ? bodyUses(created.fields, notCreated(created), complexTypes, 'create') : []),
    ...(updated ? bodyUses(updated.fields, notUpdated(updated), complexTypes, 'update') : []),
  ];
}

// What a type inherits stands in the interface that it extends.
function ownFields({ fields }: EntityNode): readonly FieldNode[] {
  return fields.filter(({ inherited }) => !inherited);
}

function notCreated({ rules }: EntityNode): ReadonlySet<string> {
  return new Set([...rules.computed, ...rules.initialOnly]);
}

function notUpdated({ key, rules }: EntityNode): ReadonlySet<string> {
  return new Set([...key, ...rules.computed, ...rules.immutable]);
}

function entityOf(entity: EntityNode, entities: readonly EntityNode[], complexTypes: ComplexTypes): StatementStructures {
  const fields = ownFields(entity).map((field) => ({
    name: printPropertyName(field.name),
    type: typeOf(field, complexTypes),
    docs: docs(docText(field.description, factsOf(field, entity).join(' ') || undefined)),
  }));
  const navigation = ownNavigation(entity).map((node) => ({
    name: printPropertyName(node.name),
    hasQuestionToken: true,
    type: navigationType(node, entities),
    docs: docs(docText(node.description, 'Present when $expand asks for it')),
  }));
  const any = [...new Set(ownArms(entity).map(({ arm }) => arm?.of ?? ''))]
    .map((name) => ({ name, arms: ownArms(entity).filter(({ arm }) => arm?.of === name) }))
    .map(({ name, arms }) => ({
      name: printPropertyName(name),
      hasQuestionToken: true,
      type: anyType(arms, entities),
      docs: docs(docText(arms[0]?.description, 'Present when $expand asks for it')),
    }));
  const streams = entity.streams.filter(({ inherited, name }) => !inherited && !name.includes('/')).flatMap(streamMembers);
  const { base } = entity.hierarchy;
  const description = docText(entity.description ?? `A record of ${entity.name}`);
  return {
    kind: StructureKind.Interface,
    isExported: true,
    name: entity.typeName,
    docs: docs(description),
    extends: base ? [base.typeName] : [],
    properties: [...fields, ...streams, ...navigation, ...any],
    ...dynamicMembers(entity),
  };
}

function ownNavigation({ navigation }: EntityNode): readonly NavigationNode[] {
  return navigation.filter((node) => !node.inherited && isDirect(node));
}

// The parts of what leads to records of any type; what complex values lead to stands in no type.
function ownArms({ navigation }: EntityNode): readonly NavigationNode[] {
  return navigation.filter(({ inherited, arm }) => !inherited && arm !== undefined && isDirect({ name: arm.of }));
}

function anyType(arms: readonly NavigationNode[], entities: readonly EntityNode[]): string {
  const isCollection = arms.some(({ navigation }) => navigation.collection);
  const types = [...new Set(arms.map(({ navigation: { target } }) => recordTypeOf(target, entities)))].join(' | ');
  if (isCollection) return types.includes('|') ? `(${types})[]` : `${types}[]`;
  return arms.some(({ arm, nullable }) => arm?.required || (arm?.type !== undefined && !nullable)) ? types : `${types} | null`;
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

function keyOf({ typeName, derived, key, keyColumns, name }: EntityNode): StatementStructures {
  const [first = ''] = key;
  const plain = key.filter((one) => !keyColumns.has(one));
  const within = [...keyColumns].map(([one, column]) => `${printPropertyName(one)}: ${keyType(column)}`);
  const whole = [
    ...(plain.length === 0 ? [] : [`Pick<${typeName}, ${union(plain)}>`]),
    ...(within.length === 0 ? [] : [`{ ${within.join('; ')} }`]),
  ].join(' & ');
  const single = keyColumns.get(first);
  const only = single ? keyType(single) : `${typeName}[${printString(first)}]`;
  const type = key.length === 1 ? only : whole;
  return { kind: StructureKind.TypeAlias, isExported: true, name: derived.key, type, docs: [docText(`The key of ${name}`)] };
}

function createOf({ typeName, derived }: EntityNode, { created }: Bodies, complexTypes: ComplexTypes): readonly StatementStructures[] {
  if (created === undefined) return [];
  const { rules, hierarchy, qualifiedName } = created;
  // In the set of a base type a new record has to say its own.
  const stated = hierarchy.setType === undefined ? '' : `\n& { '@odata.type': ${printString(`#${qualifiedName}`)} }`;
  const type = `${bodyType({ ...created, typeName }, rules.requiredOnCreate, notCreated(created), bodiesOf(complexTypes, 'create'))}${stated}`;
  return [
    {
      kind: StructureKind.TypeAlias,
      isExported: true,
      name: derived.create,
      type,
      docs: [docText(`The body of \`POST /${addressOf(created)}\``)],
    },
  ];
}

function addressOf({ place }: EntityNode): string {
  return place?.name.replace('.', '(…)/') ?? '';
}

function updateOf({ typeName, derived }: EntityNode, { updated }: Bodies, complexTypes: ComplexTypes): readonly StatementStructures[] {
  if (updated === undefined) return [];
  const { rules, place } = updated;
  const type = bodyType({ ...updated, typeName }, rules.requiredOnUpdate, notUpdated(updated), bodiesOf(complexTypes, 'update'));
  return [
    {
      kind: StructureKind.TypeAlias,
      isExported: true,
      name: derived.update,
      type,
      docs: [docText(`The body of \`PATCH /${addressOf(updated)}${place?.kind === 'Singleton' ? '' : '(…)'}\``)],
    },
  ];
}
