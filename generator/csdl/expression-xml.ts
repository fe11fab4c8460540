import type { Annotation, Expression } from './csdl.js';
import { attributesOf, defaultOf, memberOf, type Typed } from './typed-elements.js';
import { node, textNode, type XmlNode } from './xml-printer.js';

/** Annotations as elements, with constants and paths in attributes. */
export function annotationNodes(annotations: readonly Annotation[]): readonly XmlNode[] {
  return annotations
    .filter(({ unserved }) => unserved !== true)
    .map(({ term, qualifier, value, annotations: inner }) => withValue('Annotation', { Term: term, Qualifier: qualifier }, value, inner));
}

type Attributes = Parameters<typeof node>[1];

function withValue(name: string, attributes: Attributes, value: Expression | undefined, notes: readonly Annotation[]): XmlNode {
  const inner = annotationNodes(notes);
  if (value === undefined) return node(name, attributes, inner);
  const isPlain = (value.kind === 'constant' || value.kind === 'path') && value.annotations.length === 0;
  return isPlain
    ? node(name, { ...attributes, [value.type]: value.value }, inner)
    : node(name, attributes, [...inner, expressionNode(value)]);
}

function expressionNode(expression: Expression): XmlNode {
  const notes = annotationNodes(expression.annotations);
  const of = (operand: Expression | undefined): readonly XmlNode[] => (operand === undefined ? [] : [expressionNode(operand)]);
  switch (expression.kind) {
    case 'constant':
    case 'path':
      return textNode(expression.type, expression.value);
    case 'null':
      return node('Null', {}, notes);
    case 'collection':
      return node('Collection', {}, expression.items.map(expressionNode));
    case 'record':
      return node('Record', { Type: expression.type }, [
        ...expression.members.map((member) => withValue('PropertyValue', { Property: member.property }, member.value, member.annotations)),
        ...notes,
      ]);
    case 'operator':
      return node(expression.operator, {}, [...notes, ...expression.operands.map(expressionNode)]);
    case 'apply':
      return node('Apply', { Function: expression.function }, [...notes, ...expression.operands.map(expressionNode)]);
    case 'cast':
    case 'isOf':
      return node(expression.kind === 'cast' ? 'Cast' : 'IsOf', typedAttributes('Cast', { ...expression }), [
        ...notes,
        ...of(expression.operand),
      ]);
    case 'label':
      return node('LabeledElement', { Name: expression.name }, [...notes, ...of(expression.operand)]);
    case 'labelReference':
      return textNode('LabeledElementReference', expression.name);
  }
}

/** The attributes of an element, without those that have their default. */
export function typedAttributes(name: string, element: Typed): Attributes {
  return Object.fromEntries(attributesOf(name).map((attribute) => [attribute, attributeOf(name, attribute, element)]));
}

function attributeOf(owner: string, attribute: string, element: Typed): Attributes[string] {
  const value = element[memberOf(owner, attribute)];
  if (Array.isArray(value)) return value.join(' ') || undefined;
  if (attribute === 'Type' && element['collection'] === true) return `Collection(${String(value)})`;
  return value === defaultOf(owner, attribute) ? undefined : (value as Attributes[string]);
}
