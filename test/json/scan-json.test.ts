import test from 'ava';
import { scanArray, scanObject } from '../../runtime/response/scan-json.js';

const misshapen = { message: /does not match the model/ };

for (const text of ['{"X":{"Y":1}}', '1', '"a"', '[1}']) {
  test(`what is no array is refused, and ends: ${text}`, (t) => {
    t.throws(() => scanArray(Buffer.from(text), 0, () => undefined), misshapen);
  });
}

for (const text of ['[{"X":1}]', '[]', '"a"', '{"a"]']) {
  test(`what is no object is refused, and ends: ${text}`, (t) => {
    t.throws(() => scanObject(Buffer.from(text), 0), misshapen);
  });
}
