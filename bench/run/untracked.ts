import { container } from '../../generated/index.js';

// Loaded before the product, it takes the change log out of its model.
for (const type of Object.values(container.entityTypes)) Object.assign(type, { tracking: undefined });
