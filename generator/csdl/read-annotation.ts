import type { Report } from '../faults.js';
import type { Annotation, Expression, XmlElement } from './csdl.js';
import { constants, expressions, operators, paths } from './elements.js';
import { readType } from './read-schema.js';

/** The annotations inside an element, with every kind of expression. */
export function readAnnotations(element: XmlElement, report: Report): readonly Annotation[] {
  return element.children
    .filter(({ name }) => name === 'Annotation')
    .map((child) => ({
      at: child.at,
      term: child.attributes.get('Term') ?? '',
      qualifier: child.attributes.get('Qualifier'),
      value: valueOf(child, report),
      annotations: readAnnotations(child, report),
    }));
}

/** The value of an annotation or member, from an attribute or an element; undefined means the default. */
function valueOf(element: XmlElement, report: Report): Expression | undefined {
  for (const type of [...constants, ...paths, 'UrlRef']) {
    const value = element.attributes.get(type);
    // EnumMember is a list of names with blanks between them; blanks around the list belong to no name.
    if (value !== undefined) return written(type, type === 'EnumMember' ? value.trim() : value, element.at);
  }
  return operandsOf(element, report)[0];
}

function written(type: string, value: string, at: number): Expression {
  if (type !== 'UrlRef') return { kind: paths.includes(type) ? 'path' : 'constant', type, value, at, annotations: [] };
  return { kind: 'operator', operator: type, operands: [written('String', value, at)], at, annotations: [] };
}

function operandsOf(element: XmlElement, report: Report): readonly Expression[] {
  return element.children.filter(({ name }) => expressions.includes(name)).map((child) => readExpression(child, report));
}

function readExpression(element: XmlElement, report: Report): Expression {
  const { name, at, attributes } = element;
  const base = { at, annotations: readAnnotations(element, report) };
  if (constants.includes(name))
    return { ...base, kind: 'constant', type: name, value: name === 'String' ? element.text : element.text.trim() };
  if (paths.includes(name)) return { ...base, kind: 'path', type: name, value: element.text.trim() };
  if (operators.includes(name)) return { ...base, kind: 'operator', operator: name, operands: operandsOf(element, report) };
  switch (name) {
    case 'Collection':
      return { ...base, kind: 'collection', items: operandsOf(element, report) };
    case 'Record':
      return { ...base, kind: 'record', type: attributes.get('Type'), members: membersOf(element, report) };
    case 'Apply':
      return { ...base, kind: 'apply', function: attributes.get('Function') ?? '', operands: operandsOf(element, report) };
    case 'Cast':
    case 'IsOf':
      return { ...base, kind: name === 'Cast' ? 'cast' : 'isOf', operand: valueOf(element, report), ...readType(element, report) };
    case 'LabeledElement':
      return { ...base, kind: 'label', name: attributes.get('Name') ?? '', operand: valueOf(element, report) };
    case 'LabeledElementReference':
      return { ...base, kind: 'labelReference', name: element.text.trim() };
    default:
      return { ...base, kind: 'null' };
  }
}

function membersOf(element: XmlElement, report: Report): Extract<Expression, { kind: 'record' }>['members'] {
  return element.children
    .filter(({ name }) => name === 'PropertyValue')
    .map((child) => ({
      at: child.at,
      property: child.attributes.get('Property') ?? '',
      value: valueOf(child, report),
      annotations: readAnnotations(child, report),
    }));
}
