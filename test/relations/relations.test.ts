// Depends on PostgreSQL: SQL.

import { caller, testModels } from '../toy/test-models.js';

// oxfmt-ignore
testModels({
  'relations without a constraint': { model: 'library' },
  'partners that are both single-valued': { model: 'pairs' },
  'types of the same name in two schemas': { model: 'twins' },
  'navigation properties of complex values': { model: 'nested' },
  'navigation properties of nullable complex values': { model: 'seats', callers: { blind: caller(['blind']) } },
  'several entity sets of one type': { model: 'sets' },
  'properties and navigation properties of derived complex types': { model: 'villas' },
  'deletes that cascade to the target (Rules.DeletesTarget)': { model: 'cars', callers: { adam: caller(['smith']), bea: caller(['helper']), cid: caller([]) } },
  'contained entities whose parents are in several places': { model: 'inns' },
  'navigation properties of the same name, of types that share a table': { model: 'deeds' },
  'partners on derived types and complex values': { model: 'ups' },
  'bindings to entities contained in a singleton': { model: 'bound' },
});
