import { httpHooks } from '../../http/hooks.js';
import { deleteMembers, updateMembers } from './change-members.js';
import { updateCollection } from './update-collection.js';

/** Registers the writes of several records by one request. */
export function registerSetUpdates(): void {
  httpHooks.register({ memberOperations: { updateCollection, updateMembers, deleteMembers } });
}
