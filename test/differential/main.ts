import { parseArgs } from 'node:util';
import { withConnection } from '../../runtime/database/run.js';
import { startToy } from '../toy/toy-service.js';
import { directAnswer, runDifferential } from './differential.js';

const { values } = parseArgs({ options: { cases: { type: 'string', default: '200000' }, seed: { type: 'string', default: String(Date.now() % 1_000_000_000) } } });
const service = await startToy('test/differential/model.xml');
try {
  const outcome = await withConnection(service.sequelize, (connection) =>
    runDifferential(directAnswer(service.container, connection), connection, { cases: Number(values.cases), seed: Number(values.seed) }));
  console.log(`seed ${values.seed}: ${outcome.cases} cases, ${outcome.telling} of them telling`);
  if (outcome.counterexample !== undefined) {
    console.log(outcome.counterexample);
    process.exitCode = 1;
  }
} finally {
  await service.stop();
}
