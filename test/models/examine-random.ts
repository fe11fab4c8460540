import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../permission/random.js';
import { bothForms } from './both-forms.js';
import { examineModel, type Examined } from './examine-model.js';
import { randomModel } from './random/random-model.js';

/** Makes up the model of a seed, which is the same whether it is read as XML or as JSON, and asks it everything. */
export async function examineRandom(seed: number): Promise<Examined> {
  const folder = mkdtempSync(join(tmpdir(), 'gable-models-'));
  const document = join(folder, `seed-${seed}.xml`);
  const xml = randomModel(seed);
  try {
    writeFileSync(document, xml);
    const examined = await examineModel(document, { mode: 'strict', questions: createRandom(seed) });
    const unlike = examined.held.has('generate') ? bothForms(xml) : [];
    return { ...examined, failures: [...examined.failures, ...unlike.map((path) => `both forms: ${path} differs between XML and JSON`)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
