// Depends on PostgreSQL: SQL.

import { caller, testModels } from '../toy/test-models.js';

// oxfmt-ignore
testModels({
  'writes through every address of an entity': { model: 'shelf', requests: 'writes' },
  'Core.Permissions that let clients only read': { model: 'permits' },
  'complex values through their addresses': { model: 'complex', requests: 'complex-writes' },
  'entities that refer to their parent by number': { model: 'orders' },
  'deep inserts and updates': { model: 'deep' },
  'deep updates with delta collections': { model: 'deep', requests: 'delta' },
  'raw values of every primitive type': { model: 'raw' },
  'deep inserts and updates of contained entities': { model: 'depot', requests: 'contained-deep' },
  'collections with nullable items': { model: 'gaps' },
  'creates along navigation properties only': { model: 'sales' },
  'Core.Immutable properties': { model: 'fixed', callers: { shy: caller(['shy']) } },
});
