import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { carryOut, recover } from '../../generator/output/stage.js';

// Writes a folder and is killed before its n-th step: the disk is then as a kill -9 or a crash at this moment leaves it.
const [, , folder = '', step = '', changes = ''] = process.argv;
const steps = ['mkdirSync', 'writeFileSync', 'renameSync', 'rmSync', 'rmdirSync'] as const;

let left = Number(step);
for (const name of steps) {
  const original = fs[name] as (...parts: readonly unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...parts: readonly unknown[]) => {
      if (left-- === 0) process.kill(process.pid, 'SIGKILL');
      return original(...parts);
    },
  });
}
syncBuiltinESMExports();

recover(folder);
carryOut(folder, JSON.parse(changes) as Parameters<typeof carryOut>[1]);
