import type { OptionalKind, PropertySignatureStructure, StatementStructures } from './ts-morph.js';
import { exportedInterface, exportedType, typeImport } from './structures.js';
import type { ComplexNode, EntityNode, FieldNode } from '../graph/model-graph.js';
import { docText } from './describe.js';
import { printPropertyName, printString } from './print-literal.js';
import { complexOf, isNumber, typeOf, withNull, type ComplexTypes, docs, dynamicMembers } from './property-types.js';
import { memoized } from '../../runtime/edm/memoized.js';

/** A member of an interface. */
export type Member = OptionalKind<PropertySignatureStructure>;

type BodyKind = 'create' | 'update';

/** The rules of one kind of body. */
interface BodyRules {
  /** Properties that the body must have. */
  readonly required: readonly string[];
  /** Properties that the body must not have. */
  readonly without: ReadonlySet<string>;
}

/** An entity or complex type with its bodies. */
export interface Shape {
  readonly node: Pick<EntityNode | ComplexNode, 'typeName' | 'derived' | 'folder' | 'open'>;
  readonly base: Shape | undefined;
  /** The types that derive from it, however far. */
  readonly heirs: () => readonly Shape[];
  /** All properties, inherited ones included. */
  readonly fields: readonly FieldNode[];
  readonly own: readonly FieldNode[];
  /** Whether its interface has members other than properties. */
  readonly hasOthers: boolean;
  readonly bodies: { readonly [Kind in BodyKind]?: BodyRules | undefined };
  readonly factsOf: (field: FieldNode) => readonly string[];
}

/** The type's own properties that every body of the type, and of those that derive from it, may carry alike. */
const writableFields = memoized((shape: Shape): readonly FieldNode[] => {
  const bodies = [shape, ...shape.heirs()].flatMap(({ bodies: { create, update } }) => [create ?? [], update ?? []].flat());
  if (bodies.length === 0) return [];
  return shape.own.filter(({ name, field }) => field.complex === undefined && !bodies.some(({ without }) => without.has(name)));
});

/** The interface of the writable properties: the type's own interface where it has no other members. */
function writableName(shape: Shape): string | undefined {
  const count = writableFields(shape).length;
  if (count === 0) return undefined;
  return isWhollyWritable(shape) ? shape.node.typeName : shape.node.derived.writable;
}

/** Whether the interface of a type has only properties that bodies may carry. */
function isWhollyWritable(shape: Shape): boolean {
  const count = writableFields(shape).length;
  return count > 0 && shape.base === undefined && !shape.hasOthers && count === shape.own.length;
}

/** The writable interfaces that the bodies of a type extend. */
export function writableBases(shape: Shape): readonly (readonly [Shape['node'], string])[] {
  const name = writableName(shape);
  return [...(shape.base ? writableBases(shape.base) : []), ...(name === undefined ? [] : [[shape.node, name] as const])];
}

/** The interface of the properties that clients write, where it is not the type's own. */
export function writableInterface(shape: Shape, complexTypes: ComplexTypes): readonly StatementStructures[] {
  const fields = writableFields(shape);
  if (fields.length === 0 || isWhollyWritable(shape)) return [];
  const properties = fields.map((field) => readMember(field, shape, complexTypes));
  const text = docText(`The properties of ${shape.node.typeName} that clients write`);
  return [exportedInterface(shape.node.derived.writable, docs(text), { properties })];
}

/** The properties that the type's own interface has besides the writable ones that it extends. */
export function readMembers(shape: Shape, complexTypes: ComplexTypes): readonly Member[] {
  const extended = new Set(isWhollyWritable(shape) ? [] : writableFields(shape));
  return shape.own.filter((field) => !extended.has(field)).map((field) => readMember(field, shape, complexTypes));
}

function readMember(field: FieldNode, { factsOf }: Shape, complexTypes: ComplexTypes): Member {
  return {
    name: printPropertyName(field.name),
    type: typeOf(field, complexTypes),
    docs: docs(docText(field.description, ...joined(factsOf(field)))),
  };
}

function joined(facts: readonly string[]): readonly string[] {
  return facts.length === 0 ? [] : [facts.join(' ')];
}

/** A body before it is printed. */
interface Body {
  readonly kind: BodyKind;
  readonly doc: string;
  /** Members other than properties. */
  readonly members: readonly Member[];
  /** Groups of members, of each of which a body has exactly one. */
  readonly choices?: readonly (readonly Member[])[];
}

/** The type of a body: an interface, or an alias where there is nothing to add or something to choose. */
export function bodyOf(shape: Shape, body: Body, complexTypes: ComplexTypes): readonly StatementStructures[] {
  const { kind, doc, members, choices = [] } = body;
  const rules = shape.bodies[kind];
  if (rules === undefined) return [];
  const extended = writableBases(shape).map(([, name]) => `Partial<${name}>`);
  const properties = [...members, ...bodyMembers(shape, kind, rules, complexTypes)];
  const named = [shape.node.derived[kind], docs(docText(doc))] as const;
  const dynamic = isWhollyWritable(shape) ? {} : dynamicMembers(shape.node);
  if (choices.length > 0) {
    const index = dynamic.indexSignatures === undefined ? [] : ['[dynamicProperty: string]: unknown;'];
    const literal = printMembers(properties, index);
    const type = [...extended, ...literal, ...choices.map(printChoice)].join(' & ');
    return [exportedType(...named, type)];
  }
  if (properties.length === 0 && dynamic.indexSignatures === undefined && extended.length > 0)
    return [exportedType(...named, extended.join(' & '))];
  return [exportedInterface(...named, { extends: [...extended], properties, ...dynamic })];
}

// Optional writable properties are in the interfaces that the body extends; an item of a collection is always a new one.
function bodyMembers(shape: Shape, kind: BodyKind, { required, without }: BodyRules, complexTypes: ComplexTypes): readonly Member[] {
  const extended = new Set(
    chainOf(shape)
      .flatMap(writableFields)
      .map(({ name }) => name),
  );
  return shape.fields.flatMap((field) => {
    const { name } = field;
    const isRequired = required.includes(name);
    if (without.has(name) || (extended.has(name) && !isRequired)) return [];
    const node = isRequired ? withoutNull(field) : field;
    const complex = complexOf(field, complexTypes);
    const type = complex
      ? withNull(node, complex.derived[field.field.collection ? 'create' : kind])
      : shape.own.includes(field) || isNumber(field)
        ? typeOf(node, complexTypes)
        : inheritedType(shape, field, node);
    const described = extended.has(name) ? [] : docs(docText(field.description, ...joined(shape.factsOf(field))));
    return [{ name: printPropertyName(name), type, hasQuestionToken: !isRequired, docs: described }];
  });
}

// The module of the base type has the names that the property's type needs.
function inheritedType({ node: { typeName } }: Shape, { name, field }: FieldNode, { field: { nullable } }: FieldNode): string {
  const type = `${typeName}[${printString(name)}]`;
  return field.nullable && !nullable ? `NonNullable<${type}>` : type;
}

function withoutNull(node: FieldNode): FieldNode {
  const { nullable: _, ...field } = node.field;
  return { ...node, field };
}

function chainOf(shape: Shape): readonly Shape[] {
  return shape.base === undefined ? [shape] : [...chainOf(shape.base), shape];
}

function printMembers(members: readonly Member[], more: readonly string[]): readonly string[] {
  const lines = [...members.map(({ name, type, hasQuestionToken }) => `${name}${hasQuestionToken ? '?' : ''}: ${String(type)};`), ...more];
  return lines.length === 0 ? [] : [`{\n${lines.join('\n')}\n}`];
}

/** The members of a group as alternatives, of which a body has one. */
export function printChoice(members: readonly Member[]): string {
  return `(${members.map(({ name, type }) => `{ ${name}: ${String(type)} }`).join(' | ')})`;
}

/** Imports of the types of enumerations that properties have. */
export function enumerationTypes(fields: readonly Pick<FieldNode, 'enumeration'>[]): readonly StatementStructures[] {
  const enumerations = [...new Set(fields.flatMap(({ enumeration }) => enumeration?.typeName ?? []))];
  return enumerations.length === 0 ? [] : [typeImport('../enumerations.js', ...enumerations)];
}

/** A name that generated code uses of the module of a type. */
export type TypeUse = readonly [type: Pick<ComplexNode, 'folder'>, name: string];

/** Imports of types from the modules of other types, one a module. */
export function typeImports(uses: readonly TypeUse[], folder: string): readonly StatementStructures[] {
  const folders = new Set(uses.map(([type]) => type.folder).filter((other) => other !== folder));
  return [...folders].map((other) =>
    typeImport(`../${other}/types.js`, ...new Set(uses.filter(([type]) => type.folder === other).map(([, name]) => name))),
  );
}

/** The complex types that the interfaces of a type use; an item of a collection in a body is always a new one. */
export function shapeUses({ fields, own, bodies }: Shape, complexTypes: ComplexTypes): readonly TypeUse[] {
  const ofBody = (kind: 'create' | 'update'): readonly TypeUse[] =>
    fields.flatMap((node) => {
      const type = bodies[kind]?.without.has(node.name) === false ? complexOf(node, complexTypes) : undefined;
      return type === undefined ? [] : [[type, type.derived[node.field.collection ? 'create' : kind]] as const];
    });
  const read = own.flatMap((node) => complexOf(node, complexTypes) ?? []).map((type) => [type, type.typeName] as const);
  return [...read, ...ofBody('create'), ...ofBody('update')];
}
