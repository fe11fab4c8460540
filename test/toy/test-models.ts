import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { rowRuleFaults } from '../../runtime/features/row-filters/plan-row-filters.js';
import { startToy, type Callers } from './toy-service.js';

/** A model `NAME.xml` of this folder, and requests to its service in a `.http` file, which has the same name unless it is given. */
interface ModelCase {
  readonly model: string;
  readonly requests?: string;
  readonly callers?: Callers;
}

/** Defines a test for each model, by title: the service is started, and answers the requests as expected. */
export function testModels(cases: Readonly<Record<string, ModelCase>>): void {
  for (const [title, { model, requests = model, callers }] of Object.entries(cases)) {
    test.serial(title, async (t) => {
      const service = await startToy(`test/toy/${model}.xml`, callers);
      t.teardown(() => service.stop());
      t.deepEqual(rowRuleFaults(service.container), []);
      await checkExchanges(t, `../toy/${requests}.http`, service);
    });
  }
}

/** A caller who has the scopes. */
export function caller(scopes: readonly string[], member?: string): Callers[string] {
  return { subject: 'x', scopes: new Set(scopes), ...(member !== undefined && { member }) };
}
