import { startService } from '../../dist/test/support/service.js';

/** The listing service on a database of its own, and the headers of a caller who may read and write. */
export async function startListings() {
  const service = await startService();
  const authorization = `Bearer ${await service.token('write')}`;
  return { root: service.root, stop: service.stop, headers: { Authorization: authorization } };
}

/** The body of a new draft. */
export function draft(street) {
  return { ListAgentKey: 'M1', ListOfficeKey: 'M2', PropertyType: 'Residential', StreetNumber: '1', StreetName: street, City: 'Toronto' };
}
