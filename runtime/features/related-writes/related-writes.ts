import { httpHooks } from '../../http/hooks.js';
import { writeHooks } from '../../plan/write/hooks.js';
import { storeHooks } from '../../store/hooks.js';
import { planMembers } from './plan-members.js';
import { updateRelated } from './update-related.js';
import { addReference, removeReference, setReferences } from './write-reference.js';

/** Registers writes of references, and updates with related entities in their bodies. */
export function registerRelatedWrites(): void {
  writeHooks.register({ planMembers });
  storeHooks.register({ updateRelated });
  httpHooks.register({ referenceOperations: { addReference, setReference: addReference, setReferences, removeReference } });
}
