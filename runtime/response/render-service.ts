import type { EntityContainer } from '../edm/index.js';
import type { PayloadFormat } from './payload-format.js';

/** The service document (JSON format 5): every entity set by name and relative URL. */
export function renderService(container: EntityContainer, root: string, format: PayloadFormat): string {
  const sets = Object.keys(container.entitySets).map((name) => ({ name, kind: 'EntitySet', url: name }));
  const context = format.metadata === 'none' ? {} : { '@odata.context': `${root}/$metadata` };
  return JSON.stringify({ ...context, value: sets });
}
