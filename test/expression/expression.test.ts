import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import '../support/features.js';
import { printTree } from '../support/print-tree.js';
import { parseFilter } from '../../runtime/expression/parser.js';
import { checkCases, type Producers } from '../support/cases.js';

/** The stages of an expression; each has its key in the case files. */
const producers: Producers = {
  tree: (text) => printTree(parseFilter(text)),
};

for (const file of readdirSync(join('test', 'expression')).filter((name) => name.endsWith('.case'))) {
  test(file, (t) => checkCases(t, `expression/${file}`, producers, { mark: true }));
}
