import test from 'ava';
import { container } from '../../generated/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { planKey } from '../../runtime/plan/path/plan-key.js';
import { keyColumns } from '../../runtime/plan/options/plan-select.js';
import { entityPath } from '../../runtime/response/address.js';
import { parseKey } from '../../runtime/uri/parse-key.js';

// No model here has such a key, and the standard allows it.
const { keyGeneration: _, ...property } = container.entityTypes['Property'] as EntityType;
const spans: EntityType = { ...property, name: 'Span', entitySet: 'Spans', key: ['Length'], fields: { Length: { type: 'Edm.Duration' } } };

const cases: { readonly [key: string]: string } = {
  "duration'P1DT2H'": 'P1DT2H',
  "'P1D'": 'P1D',
  "Length=duration'-PT5M'": 'PT-5M',
  "duration'P1M'": '1040',
  "'one day'": '1042',
  "binary'AAAA'": '1042',
};

for (const [key, expected] of Object.entries(cases)) {
  test(`the duration key ${key}`, (t) => t.is(planned(key), expected));
}

test('the address of a record with such a key has the prefix', (t) => {
  const path = entityPath(spans, keyColumns(spans), ['P1DT2H']);
  t.is(path, "Spans(duration'P1DT2H')");
  t.is(planned(path.slice('Spans('.length, -1)), 'P1DT2H');
});

function planned(key: string): string {
  try {
    const conditions = planKey(spans, parseKey(key, 0), { namespace: '', entityTypes: {}, entitySets: {} });
    return conditions === 'none' ? 'none' : conditions.map(({ value }) => value).join();
  } catch (error) {
    if (error instanceof ODataError) return error.code;
    throw error;
  }
}
