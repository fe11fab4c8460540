import type { DraftsHandler } from '../../generated/operation-types.js';

export const drafts: DraftsHandler = () => ({
  values: [{ Id: 1, Name: 'Draft', Price: 1.5, Size: 'Large', Tags: ['new'], Cost: null, ShelfId: null }],
});
