import test from 'ava';
import { readScriptOptions } from './script-options.js';

const options = {
  cases: { unless: 2000, says: 'how many' },
  timing: { unless: false, says: 'how long instead of what' },
  only: { unless: '', says: 'one of them' },
};

test('what is not given is what it is unless given', (t) => {
  t.deepEqual(readScriptOptions('compare', options, []), { values: { cases: 2000, timing: false, only: '' } });
});

test('numbers, flags and texts are read', (t) => {
  t.deepEqual(readScriptOptions('compare', options, ['--cases', '17', '--timing', '--only', 'disk']), {
    values: { cases: 17, timing: true, only: 'disk' },
  });
});

test('--help tells the options', (t) => {
  t.deepEqual(readScriptOptions('compare', options, ['--help']), {
    exitCode: 0,
    text: 'Usage: npm run compare -- [options]\n\n  --cases N    how many\n  --timing     how long instead of what\n  --only TEXT  one of them\n',
  });
});

/** Mistakes, and how the line that names them begins. */
const mistakes: readonly (readonly [args: readonly string[], line: string])[] = [
  [['--cases', '2O0'], "--cases must be a whole number, at least 1; it is '2O0'."],
  [['--cases', '0'], "--cases must be a whole number, at least 1; it is '0'."],
  [['--case', '200'], "Unknown option '--case'"],
  [['200'], "Unexpected argument '200'"],
];

for (const [args, line] of mistakes) {
  test(`${args.join(' ')} is refused before anything runs`, (t) => {
    const found = readScriptOptions('compare', options, args);
    t.true('text' in found && found.exitCode === 2 && found.text.startsWith(line), JSON.stringify(found));
  });
}
