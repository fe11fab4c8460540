import type { EntityContainer } from '../edm/index.js';
import type { PayloadFormat } from './payload-format.js';

/**
 * The service document (JSON format 5): entity sets, singletons and function imports by name and relative URL, as far
 * as the model lists them (CSDL 4.01, 13.2, 13.6).
 */
export function renderService(
  { entitySets, unlistedSets = [], singletons = {}, operationImports = {} }: EntityContainer,
  root: string,
  format: PayloadFormat,
): string {
  const functions = Object.entries(operationImports).flatMap(([name, { listed: isListed }]) => (isListed ? [name] : []));
  const sets = Object.keys(entitySets).filter((name) => !unlistedSets.includes(name));
  const context = format.metadata === 'none' ? {} : { '@odata.context': `${root}/$metadata` };
  const value = [...listed(sets, 'EntitySet'), ...listed(Object.keys(singletons), 'Singleton'), ...listed(functions, 'FunctionImport')];
  return JSON.stringify({ ...context, value });
}

function listed(names: readonly string[], kind: string): readonly object[] {
  return names.map((name) => ({ name, kind, url: name }));
}
