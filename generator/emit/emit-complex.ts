import type { StatementStructures } from './ts-morph.js';
import type { ComplexNode, ModelGraph, EntityNode, ValueNavigationNode } from '../graph/model-graph.js';
import { docText, fieldFacts } from './describe.js';
import { fieldTable } from './emit-fields.js';
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
  type Member,
} from './body-interfaces.js';
import { complexNamed, unionOf, type ComplexTypes, docs, dynamicMembers, streamMembers } from './property-types.js';
import { printString, printTable, referTo, type LiteralObject, printPropertyName } from './print-literal.js';
import { constant, contract, typeImport, type Emitted, exportedInterface } from './structures.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { reference } from './reference-members.js';

/** The types of a complex type: the value as read, and its forms in bodies. */
export function emitComplexTypes(complex: ComplexNode, { complexTypes, entities }: ModelGraph): Emitted {
  const base = complexNamed(complex.base, complexTypes);
  const shape = complexShape(complex, complexTypes);
  const uses: readonly TypeUse[] = [
    ...(base === undefined ? [] : [[base, base.typeName] as const]),
    ...writableBases(shape),
    ...shapeUses(shape, complexTypes),
    ...navigationUses(complex, entities),
  ];
  const members = [
    ...typeMember(complex, base).map((member) => ({ ...member, hasQuestionToken: true })),
    ...navigationBody(complex, entities),
  ];
  const bodies = [
    { kind: 'create', doc: `A value of ${complex.name} in a body that creates it`, members },
    { kind: 'update', doc: `The changes of a value of ${complex.name} in a body`, members },
  ] as const;
  return [
    ...typeImports(uses, complex.folder),
    ...enumerationTypes(shape.own),
    ...shape.own.flatMap(unionOf),
    ...writableInterface(shape, complexTypes),
    interfaceOf(complex, shape, { complexTypes, entities }),
    ...bodies.flatMap((body) => bodyOf(shape, body, complexTypes)),
  ];
}

const complexShape = memoized(buildShape);

function buildShape(complex: ComplexNode, complexTypes: ComplexTypes): Shape {
  const { fields, computed, immutable, derivedTypes } = complex;
  const base = complexNamed(complex.base, complexTypes);
  const required = fields.filter(
    ({ name, field }) => !field.nullable && !field.collection && field.default === undefined && !computed.includes(name),
  );
  return {
    node: complex,
    base: base && complexShape(base, complexTypes),
    heirs: () =>
      complexTypes.filter(({ qualifiedName }) => derivedTypes.includes(qualifiedName)).map((heir) => complexShape(heir, complexTypes)),
    fields,
    own: fields.filter(({ name }) => !base?.fields.some((field) => field.name === name)),
    hasOthers: complex.navigation.length + complex.streams.length + typeMember(complex, base).length > 0,
    bodies: {
      create: { required: required.map(({ name }) => name), without: new Set(computed) },
      update: { required: [], without: new Set([...computed, ...immutable]) },
    },
    factsOf: fieldFacts,
  };
}

/** The properties that its values may have, and the type as the runtime sees it. */
export function emitComplexFields(complex: ComplexNode): Emitted {
  const { constant: prefix, typeName, fields } = complex;
  return [
    typeImport(contract, 'ComplexType', 'FieldTable'),
    ...fieldTable(prefix, fields, 'Structural properties in the order of the model, inherited ones first.'),
    constant(`${prefix}Type`, printTable(typeTable(complex)), `All tables of ${typeName}.`, 'ComplexType'),
  ];
}

function typeTable(complex: ComplexNode): LiteralObject {
  const { constant: prefix, name, qualifiedName, abstract, open, derivedTypes, computed, immutable, navigation, streams } = complex;
  return {
    name,
    qualifiedName,
    ...(abstract && { abstract: true }),
    ...(open && { open: true }),
    fields: referTo(`${prefix}Fields`),
    navigation: {},
    derived: derivedTypes,
    computed,
    immutable,
    ...(streams.length > 0 && { streams: streams.map((stream) => stream.name) }),
    ...(navigation.length > 0 && { links: navigation.map((link) => link.name) }),
  };
}

type Types = Pick<ModelGraph, 'complexTypes' | 'entities'>;

function interfaceOf(complex: ComplexNode, shape: Shape, { complexTypes, entities }: Types): StatementStructures {
  const base = complexNamed(complex.base, complexTypes);
  return exportedInterface(complex.typeName, docs(docText(complex.description ?? `A value of ${complex.name}`)), {
    extends: [...(base ? [base.typeName] : []), ...writableInterface(shape, complexTypes).map(() => shape.node.derived.writable)],
    properties: [
      ...typeMember(complex, base),
      ...readMembers(shape, complexTypes),
      ...complex.streams.filter(({ inherited }) => !inherited).flatMap(streamMembers),
      ...navigationMembers(complex, entities),
    ],
    ...dynamicMembers(complex),
  });
}

// A value of a derived type requires its `@odata.type`, one of the type itself does not (JSON format 4.6.3).
function typeMember(
  { qualifiedName, derivedTypes, abstract }: ComplexNode,
  base: ComplexNode | undefined,
): readonly { name: string; type: string; hasQuestionToken: boolean }[] {
  if (base === undefined && derivedTypes.length === 0) return [];
  const types = [...(abstract ? [] : [qualifiedName]), ...derivedTypes].map((name) => printString(`#${name}`));
  return [{ name: "'@odata.type'", type: types.join(' | ') || 'never', hasQuestionToken: base === undefined && !abstract }];
}

/** The navigation members of values, in answers. */
function navigationMembers(complex: ComplexNode, entities: readonly EntityNode[]): readonly Member[] {
  return ownNavigation(complex, entities).map(({ node, target }) => ({
    ...optional(printPropertyName(node.name), plural(node, target.typeName)),
    docs: docs(docText(node.description, 'Present if $expand requests it')),
  }));
}

/** The navigation members of values in bodies: references to their targets. */
function navigationBody({ navigation }: ComplexNode, entities: readonly EntityNode[]): readonly Member[] {
  return navigation.flatMap((node) => {
    // Constrained navigation properties are set by their dependent properties.
    if (node.constrained || targetOf(node, entities) === undefined) return [];
    const { name, collection } = node;
    return [
      optional(printPropertyName(name), plural(node, reference)),
      optional(printString(`${name}@odata.bind`), collection ? 'string[]' : 'string'),
    ];
  });
}

function optional(name: string, type: string): Member {
  return { name, hasQuestionToken: true, type };
}

/** The entity types that values reference. */
function navigationUses(complex: ComplexNode, entities: readonly EntityNode[]): readonly TypeUse[] {
  return ownNavigation(complex, entities).map(({ target }): TypeUse => [target, target.typeName]);
}

// The navigation properties that the type itself declares, with their targets.
function ownNavigation({ navigation }: ComplexNode, entities: readonly EntityNode[]) {
  return navigation.flatMap((node) => {
    const target = node.inherited ? undefined : targetOf(node, entities);
    return target === undefined ? [] : [{ node, target }];
  });
}

function plural({ collection }: ValueNavigationNode, type: string): string {
  return collection ? `${type}[]` : `${type} | null`;
}

function targetOf({ target }: ValueNavigationNode, entities: readonly EntityNode[]): EntityNode | undefined {
  return entities.find(({ qualifiedName, first }) => qualifiedName === target && first === undefined);
}
