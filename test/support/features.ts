import { registerFeatures } from '../../runtime/features/index.js';

// For tests that parse or plan requests without starting a service, which registers the features itself.
await registerFeatures();
