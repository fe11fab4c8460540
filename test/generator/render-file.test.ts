import test from 'ava';
import { renderAll } from '../../generator/emit/render-file.js';
import { constant } from '../../generator/emit/structures.js';
import type { StatementStructures } from '../../generator/emit/ts-morph.js';

function rendered(...statements: readonly StatementStructures[]): string {
  const artifact = { path: 'names.ts', structure: () => statements };
  const [file] = renderAll([artifact], { source: 'model.xml', home: 'project', onProgress: undefined });
  return file?.text ?? '';
}

test('a file is printed with its declarations and tables', (t) => {
  const text = rendered(constant('first', '{ a: 1 }', 'The first.'), constant('second', '[2,\n3]', 'The second.'));
  t.true(text.endsWith('/** The first. */\nexport const first = { a: 1 };\n\n/** The second. */\nexport const second = [2,\n3];\n'), text);
});

// Each would change what the file declares, if a name or a text of the model could leave its literal.
const escapes: Readonly<Record<string, StatementStructures>> = {
  'another declaration': constant('first', '1, second = 2', 'One.'),
  'the end of the statement': constant('first', '1; second()', 'One.'),
  'the end of the table': constant('first', '1]; [2', 'One.'),
  'the end of the brackets': constant('first', '1); (2', 'One.'),
  'the end of a key': constant('first', '1]: 0, [2', 'One.'),
  'an open literal': constant('first', "'1", 'One.'),
  'an open comment': constant('first', '1 /*', 'One.'),
  'a comment up to the end of the line': constant('first', '1 //', 'One.'),
  'the end of the type': constant('first', '1 as const satisfies A; second()', 'One.'),
  'a name': constant('first = 1, second', '2', 'One.'),
  'the end of the comment': constant('first', '1', 'One. */ second(); /*'),
};

for (const [name, statement] of Object.entries(escapes))
  test(`a file is not printed with ${name}`, (t) => {
    const error = t.throws(() => rendered(statement));
    t.regex(error?.message ?? '', /^names\.ts is emitted as invalid TypeScript: /);
  });
