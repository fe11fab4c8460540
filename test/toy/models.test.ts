import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { caller, testModels } from './test-models.js';
import { startToy, type ToyService } from './toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/toy/model.xml');
});

test.after.always(() => service.stop());

// Codes '1428' and '1055' are provoked there: the model asks for If-Match, and its clients choose the keys.
test.serial('names that break object-relational mappers', (t) => checkExchanges(t, '../toy/toy.http', service));

test.serial("Sequelize's models read what the service wrote", async (t) => {
  const Thing = service.sequelize.model('Thing');
  const [row] = await Thing.findAll({ raw: true, order: [['Id', 'ASC']], limit: 1 });
  t.true(Object.values(row ?? {}).includes('a saved text'));
});

// prettier-ignore
testModels({
  '$levels, next links of expanded collections, $search within them': { model: 'shelf' },
  'enumerations and type definitions': { model: 'palette' },
  'complex values: nested, in collections, of derived types': { model: 'complex' },
  'open types: dynamic properties': { model: 'open' },
  'derived entity types': { model: 'staff' },
  'containment and singletons': { model: 'depot' },
  'operations without handlers': { model: 'operations' },
  'row filters': { model: 'rows', callers: { adam: caller(['admin']), rita: caller(['reader']), anna: caller(['worker'], 'anna'), ben: caller(['worker']), both: caller(['reader', 'worker'], 'anna'), edith: caller(['reader', 'editor']), rob: caller(['reader', 'worker'], 'rob') } },
  'separate permissions to read collections and to read by key': { model: 'cards', callers: { list: caller(['list']), one: caller(['one']), both: caller(['both']), all: caller(['all']), none: caller([]) } },
  'constraints that mirror more than the key of the related entity': { model: 'wares', callers: { lou: caller(['low']) } },
  'constraints on properties of complex values that are not keys': { model: 'shops', callers: { lou: caller(['low']) } },
  'updates and deletes that depend on a row filter': { model: 'travels' },
  'properties that derived types redeclare': { model: 'narrow' },
  'navigation properties of the same name, of types that share a table': { model: 'deeds' },
  'entity sets of derived types only': { model: 'roles' },
  'entity sets of derived types only, with containment': { model: 'parts' },
  'keys that contain the key of a related entity': { model: 'lines' },
  'partners on derived types and complex values': { model: 'ups' },
  'bindings to entities contained in a singleton': { model: 'bound' },
  'entities that a caller may not read, and navigation to and from them': { model: 'house', callers: { adam: caller(['admin']), cleo: caller(['clerk']), hans: caller(['clerk', 'staff']), shea: caller(['shy']) } },
  'initial values of properties: defaults of every type, and none': { model: 'begin' },
  'shapes in spatial reference systems, variable or fixed': { model: 'systems' },
  'shapes other than points, and untyped values': { model: 'shapes' },
  'entity sets that require a filter': { model: 'asked' },
  'operations without entity sets': { model: 'calls' },
  'RestrictedProperties of scopes, and properties that nobody may read': { model: 'shown', callers: { some: caller(['some']), most: caller(['most']), all: caller(['all']) } },
  'items of collections by their ordinals': { model: 'ordinals', callers: { adam: caller(['toy']), bea: caller(['shy']) } },
});
