import type { EntityContainer } from '../edm/index.js';
import type { PayloadFormat } from './payload-format.js';

/** The service document (JSON format 5): every entity set by name and relative URL, and the function imports that the model lists. */
export function renderService(container: EntityContainer, root: string, format: PayloadFormat): string {
  const sets = Object.keys(container.entitySets).map((name) => ({ name, kind: 'EntitySet', url: name }));
  const functions = Object.entries(container.operationImports ?? {}).flatMap(([name, { listed }]) => (listed ? [{ name, kind: 'FunctionImport', url: name }] : []));
  const context = format.metadata === 'none' ? {} : { '@odata.context': `${root}/$metadata` };
  return JSON.stringify({ ...context, value: [...sets, ...functions] });
}
