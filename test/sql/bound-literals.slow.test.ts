import { rmSync } from 'node:fs';
import test from 'ava';
import { fc } from '../support/fast-check.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import { queryOf, statementOf } from '../differential/differential.js';
import { withLiterals } from '../differential/distinct-literals.js';
import { printExpression } from '../differential/expression.js';
import { conditions } from '../differential/generator.js';
import { compileModel, temporaryFolder } from '../toy/toy-service.js';

const folder = temporaryFolder();
let container: EntityContainer;

test.before(async () => {
  ({ container } = await compileModel('test/differential/model.xml', folder));
});

test.after.always(() => rmSync(folder, { recursive: true }));

test('literals are binds: they change nothing of the SQL text and stand nowhere in it', (t) => {
  let [literals, bound] = [0, 0];
  fc.assert(
    fc.property(conditions(4), (filter) => {
      const one = withLiterals(filter, 1);
      const other = withLiterals(filter, 2);
      const { text, bind } = statementOf(queryOf(one.expression), container);
      literals += one.texts.length;
      t.is(text, statementOf(queryOf(other.expression), container).text, printExpression(filter));
      t.deepEqual(
        one.texts.filter((literal) => text.includes(literal)),
        [],
        text,
      );
      bound += one.texts.filter((literal) => bind.flat().some((value) => value?.includes(literal))).length;
    }),
    { numRuns: 2000, seed: 1 },
  );
  // Comparisons with a bare null bind nothing.
  t.true(literals > 1500 && bound > literals * 0.9, `${bound} of ${literals} literals are bound`);
});
