import { caller, testModels } from '../toy/test-models.js';

// oxfmt-ignore
testModels({
  'row filters': { model: 'rows', callers: { adam: caller(['admin']), rita: caller(['reader']), anna: caller(['worker'], 'anna'), ben: caller(['worker']), both: caller(['reader', 'worker'], 'anna'), edith: caller(['reader', 'editor']), rob: caller(['reader', 'worker'], 'rob') } },
  'separate permissions to read collections and to read by key': { model: 'cards', callers: { list: caller(['list']), one: caller(['one']), both: caller(['both']), all: caller(['all']), none: caller([]) } },
  'updates and deletes that depend on a row filter': { model: 'travels' },
  'entities that a caller may not read, and navigation to and from them': { model: 'house', callers: { adam: caller(['admin']), cleo: caller(['clerk']), hans: caller(['clerk', 'staff']), shea: caller(['shy']) } },
  'RestrictedProperties of scopes, and properties that nobody may read': { model: 'shown', callers: { some: caller(['some']), name: caller(['name']), owner: caller(['owner']), most: caller(['most']), all: caller(['all']) } },
});
