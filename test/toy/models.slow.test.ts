// Depends on PostgreSQL: SQL.
import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { caller, testModels } from './test-models.js';
import { startToy, type ToyService } from './toy-service.js';
import { modelOf } from '../../runtime/database/bound-models.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/toy/model.xml');
});

test.after.always(() => service.stop());

// Codes '1428' and '1055' are provoked there: the model asks for If-Match, and its clients choose the keys.
test.serial('names that break object-relational mappers', (t) => checkExchanges(t, '../toy/toy.http', service));

test.serial("Sequelize's models read what the service wrote", async (t) => {
  const Thing = modelOf(service.pool, 'Thing');
  const [row] = await Thing.findAll({ raw: true, order: [['Id', 'ASC']], limit: 1 });
  t.true(Object.values(row ?? {}).includes('a saved text'));
});

// oxfmt-ignore
testModels({
  'what a model switches off is refused by name': { model: 'plain' },
  '$levels, next links of expanded collections, $search within them': { model: 'shelf' },
  'no next link with a hidden key': { model: 'shelf', requests: 'blind', callers: { adam: caller(['toy']), bea: caller(['blind']) } },
  'no address of a contained entity with a hidden key of its parent': { model: 'crates', callers: { adam: caller(['all']), bea: caller(['blind']) } },
  'enumerations and type definitions': { model: 'palette' },
  'complex values: nested, in collections, of derived types': { model: 'complex' },
  'open types: dynamic properties': { model: 'open' },
  'derived entity types': { model: 'staff' },
  'containment and singletons': { model: 'depot' },
  'operations without handlers': { model: 'operations' },
  'entity sets of derived types only': { model: 'roles' },
  'entity sets of derived types only, with containment': { model: 'parts' },
  'initial values of properties: defaults of every type, and none': { model: 'begin' },
  'values that the service generates where clients may choose them, and the first state': { model: 'posts' },
  'closed lists of values of every type': { model: 'choices' },
  'least and greatest values, which may be none themselves': { model: 'limits' },
  'shapes in spatial reference systems, variable or fixed': { model: 'systems' },
  'shapes other than points, and untyped values': { model: 'shapes' },
  'entity sets that require a filter': { model: 'asked' },
  'times: digits of seconds, leap seconds, plus signs': { model: 'laps' },
  'spellings of older clients, keys that the service gives': { model: 'numbers' },
  'operations without entity sets': { model: 'calls' },
  'items of collections by their ordinals': { model: 'ordinals', callers: { adam: caller(['toy']), bea: caller(['shy']) } },
});
