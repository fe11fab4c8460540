import { parseArgs } from 'node:util';
import { compareAnswers, startTwo } from './two-databases.js';

const { values } = parseArgs({ options: { cases: { type: 'string', default: '5000' }, seed: { type: 'string', default: String(Date.now() % 1_000_000_000) } } });
const two = await startTwo();
try {
  const { cases, telling, different } = await compareAnswers(two, { cases: Number(values.cases), seed: Number(values.seed), caller: 'read' });
  console.log(`seed ${values.seed}: ${cases} requests, ${telling} of them telling, ${different.length} answered differently`);
  if (different.length > 0) {
    console.log(different.slice(0, 10).join('\n\n'));
    process.exitCode = 1;
  }
} finally {
  await two.stop();
}
