import type { EntityNode } from '../model-graph.js';

/** The column of a property, or of a property of the key by its name in the key (`PropertyRef` with an alias). */
export function columnNamed({ fields, keyColumns }: EntityNode, name: string): string {
  return keyColumns.get(name)?.column ?? fields.find((field) => field.name === name)?.column ?? name;
}
