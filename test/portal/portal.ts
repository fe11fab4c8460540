import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { readModel } from '../../generator/generate.js';
import type { ModelGraph } from '../../generator/graph/model-graph.js';

/** The graph of a document, with the vocabularies next to it. */
export function graphOf(path: string): ModelGraph {
  const readNeighbour = (name: string): Uint8Array | undefined => {
    try {
      return readFileSync(join(dirname(path), name));
    } catch {
      // The document is read without it.
      return undefined;
    }
  };
  return readModel({ path, bytes: readFileSync(path) }, { readNeighbour }).graph;
}

/** The graph of a document by its text. */
export function graphOfText(text: string): ModelGraph {
  return readModel({ path: 'model.xml', bytes: Buffer.from(text) }).graph;
}

/** An element of a page. */
export type Element = DefaultTreeAdapterTypes.Element;

/** A parsed page: its elements in their order, and the faults of its text. */
export interface ParsedPage {
  readonly elements: readonly Element[];
  readonly faults: readonly string[];
}

/** Parses a page as a browser does. */
export function parsePage(text: string): ParsedPage {
  const faults: string[] = [];
  const document = parse(text, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startLine }) => faults.push(`${code}: ${text.split('\n')[startLine - 1]}`),
  });
  return { elements: elementsOf(document), faults };
}

function elementsOf(node: DefaultTreeAdapterTypes.ParentNode): readonly Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []));
}

/** An attribute of an element. */
export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}
