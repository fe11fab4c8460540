import type { XmlNode } from './xml-node.js';

/** An annotation with its target. */
export interface Annotated {
  readonly annotation: XmlNode;
  readonly target: XmlNode;
  /** Names from the outermost element to the target. */
  readonly path: string;
  /** The entity type from which paths in the annotation start. */
  readonly entityType?: XmlNode;
}

/** Every inline annotation of a document, in document order; annotations of annotations too. */
export function annotated(root: XmlNode, typeOfSet: (set: XmlNode) => XmlNode | undefined): readonly Annotated[] {
  return visit(root, [], undefined);

  function visit(node: XmlNode, path: readonly string[], context: XmlNode | undefined): readonly Annotated[] {
    const entityType = contextOf(node, typeOfSet) ?? context;
    const here = node.attributes['Name'] === undefined ? path : [...path, node.attributes['Name']];
    return node.children.flatMap((child) => [
      ...(child.name === 'Annotation'
        ? [{ annotation: child, target: node, path: here.join('/'), ...(entityType && { entityType }) }]
        : []),
      ...visit(child, here, entityType),
    ]);
  }
}

function contextOf(node: XmlNode, typeOfSet: (set: XmlNode) => XmlNode | undefined): XmlNode | undefined {
  if (node.name === 'EntityType') return node;
  return node.name === 'EntitySet' ? typeOfSet(node) : undefined;
}
