import type { EntityContainer } from '../edm/index.js';
import type { PayloadFormat } from './payload-format.js';

/** The service document (JSON format 5): every entity set and singleton by name and relative URL, and the function imports that the model lists. */
export function renderService(
  { entitySets, singletons = {}, operationImports = {} }: EntityContainer,
  root: string,
  format: PayloadFormat,
): string {
  const functions = Object.entries(operationImports).flatMap(([name, { listed: isListed }]) => (isListed ? [name] : []));
  const context = format.metadata === 'none' ? {} : { '@odata.context': `${root}/$metadata` };
  const value = [
    ...listed(Object.keys(entitySets), 'EntitySet'),
    ...listed(Object.keys(singletons), 'Singleton'),
    ...listed(functions, 'FunctionImport'),
  ];
  return JSON.stringify({ ...context, value });
}

function listed(names: readonly string[], kind: string): readonly object[] {
  return names.map((name) => ({ name, kind, url: name }));
}
