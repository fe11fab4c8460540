import { StructureKind, type StatementStructures } from 'ts-morph';
import type { ComplexNode, FieldNode, ModelGraph } from '../graph/model-graph.js';
import { docText, fieldFacts } from './describe.js';
import { enumerationImports, printFields } from './emit-fields.js';
import { bodiesOf, bodyType } from './body-types.js';
import { bodyUses, complexImports, enumerationTypes, valueUses, type ComplexUse } from './complex-uses.js';
import { navigationBody, navigationImports, navigationMembers } from './value-navigation.js';
import { docs, dynamicMembers, streamMembers } from './extra-members.js';
import { typeOf, unionOf } from './property-types.js';
import { printPropertyName, printString, printTable, referTo, type LiteralObject } from './print-literal.js';
import { constant, contract, typeImport, type Emitted } from './structures.js';

/** The types of one complex type: the value as read, and what bodies carry of it. */
export function emitComplexTypes(complex: ComplexNode, { complexTypes, entities }: ModelGraph): Emitted {
  const base = complexTypes.find(({ qualifiedName }) => qualifiedName === complex.base);
  const own = complex.fields.filter(({ name }) => !base?.fields.some((field) => field.name === name));
  const uses: readonly ComplexUse[] = [
    ...(base === undefined ? [] : [[base, base.typeName] as const]),
    ...valueUses(own, complexTypes),
    ...bodyUses(complex.fields, new Set(complex.computed), complexTypes, 'create'),
    ...bodyUses(complex.fields, notUpdated(complex), complexTypes, 'update'),
  ];
  return {
    statements: [
      ...complexImports(uses, complex.folder),
      ...navigationImports(complex, entities),
      ...enumerationTypes(own),
      ...own.flatMap(unionOf),
      interfaceOf(complex, base, own, { complexTypes, entities }),
      ...bodiesOfType(complex, { complexTypes, entities }),
    ],
  };
}

/** The properties that its values may have, and the type as the runtime sees it. */
export function emitComplexFields(complex: ComplexNode): Emitted {
  const { constant: prefix, typeName, fields } = complex;
  return {
    statements: [
      typeImport(contract, 'ComplexType', 'FieldTable'),
      ...enumerationImports(fields),
      constant(
        `${prefix}Fields`,
        `${printFields(fields)} as const satisfies FieldTable`,
        'Structural properties in the order of the model, inherited ones first.',
      ),
      constant(`${prefix}Type`, printTable(typeTable(complex)), `Everything that the model says of ${typeName}.`, 'ComplexType'),
    ],
  };
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

function interfaceOf(
  complex: ComplexNode,
  base: ComplexNode | undefined,
  own: readonly FieldNode[],
  { complexTypes, entities }: Types,
): StatementStructures {
  const properties = own.map((field) => ({
    name: printPropertyName(field.name),
    type: typeOf(field, complexTypes),
    docs: docs(docText(field.description, fieldFacts(field).join(' ') || 'A property of the value')),
  }));
  return {
    kind: StructureKind.Interface,
    isExported: true,
    name: complex.typeName,
    docs: docs(docText(complex.description ?? `A value of ${complex.name}`)),
    extends: base === undefined ? [] : [base.typeName],
    properties: [
      ...typeMember(complex, base),
      ...properties,
      ...complex.streams.filter(({ inherited }) => !inherited).flatMap(streamMembers),
      ...navigationMembers(complex, entities),
    ],
    ...dynamicMembers(complex),
  };
}

// A value of a derived type says so, and one of the type itself need not (JSON format 4.6.3).
function typeMember(
  { qualifiedName, derivedTypes, abstract }: ComplexNode,
  base: ComplexNode | undefined,
): readonly { name: string; type: string; hasQuestionToken: boolean }[] {
  if (base === undefined && derivedTypes.length === 0) return [];
  const types = [...(abstract ? [] : [qualifiedName]), ...derivedTypes].map((name) => printString(`#${name}`));
  return [{ name: "'@odata.type'", type: types.join(' | ') || 'never', hasQuestionToken: base === undefined && !abstract }];
}

function bodiesOfType(complex: ComplexNode, { complexTypes, entities }: Types): readonly StatementStructures[] {
  const { typeName, fields, derived, computed, name, navigation } = complex;
  const whole = { typeName, fields, navigation, open: complex.open };
  const links = navigationBody(complex, entities);
  const required = fields
    .filter(
      ({ name: property, field }) => !field.nullable && !field.collection && field.default === undefined && !computed.includes(property),
    )
    .map(({ name: property }) => property);
  return [
    alias(
      derived.create,
      bodyType(whole, required, new Set(computed), bodiesOf(complexTypes, 'create'), links),
      `A value of ${name} in a body that creates it`,
    ),
    alias(
      derived.update,
      bodyType(whole, [], notUpdated(complex), bodiesOf(complexTypes, 'update'), links),
      `What a body changes of a value of ${name}`,
    ),
  ];
}

function notUpdated({ computed, immutable }: ComplexNode): ReadonlySet<string> {
  return new Set([...computed, ...immutable]);
}

function alias(name: string, type: string, doc: string): StatementStructures {
  return { kind: StructureKind.TypeAlias, isExported: true, name, type, docs: [docText(doc)] };
}
