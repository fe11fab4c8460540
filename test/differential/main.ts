import { withConnection } from '../../runtime/database/run.js';
import { anySeed, scriptOptions } from '../support/script-options.js';
import { startToy } from '../toy/toy-service.js';
import { directAnswer, runDifferential } from './differential.js';

const { cases, seed } = scriptOptions('differential', { cases: { unless: 200_000, says: 'how many questions' }, seed: anySeed });
const service = await startToy('test/differential/model.xml');
try {
  const outcome = await withConnection(service.pool, (connection) =>
    runDifferential(directAnswer(service.container, connection), connection, { cases, seed }),
  );
  console.log(`seed ${seed}: ${outcome.cases} cases, ${outcome.telling} of them telling`);
  if (outcome.counterexample !== undefined) {
    console.log(outcome.counterexample);
    process.exitCode = 1;
  }
} finally {
  await service.stop();
}
