import test from 'ava';
import fc from 'fast-check';
import { startToy, type ToyService } from '../toy/toy-service.js';

/** A node by its number, which is its identifier too: its parent has a lower one, or it has none. */
interface Node {
  readonly parent: number | undefined;
  readonly rank: number | null;
}

const forests = fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.option(fc.nat(3))), { minLength: 1, maxLength: 14 }).map((rows) =>
  rows.map(([seed, isRoot, rank], index): Node => ({
    parent: index === 0 || (isRoot && seed % 3 === 0) ? undefined : seed % index,
    rank,
  })),
);

/** A question about a forest: a walk from some of its nodes, or a traversal. */
const questions = fc.oneof(
  fc.record({
    kind: fc.constantFrom('ancestors', 'descendants'),
    starts: fc.uniqueArray(fc.nat(13), { maxLength: 4 }),
    distance: fc.option(fc.integer({ min: 1, max: 3 })),
    keep: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom('preorder', 'postorder'),
    descending: fc.boolean(),
    left: fc.uniqueArray(fc.nat(13), { maxLength: 4 }),
  }),
);

type Question = typeof questions extends fc.Arbitrary<infer Value> ? Value : never;

test('what is walked to is what a walk in memory comes to, whole and in pages', async (t) => {
  const service = await startToy('test/toy/orgs.xml');
  t.teardown(() => service.stop());
  let telling = 0;
  const check = async (forest: readonly Node[], asked: readonly Question[], size: number): Promise<void> => {
    await load(forest, service);
    for (const question of asked) {
      const expected = walked(question, forest);
      if (expected.length > 1) telling += 1;
      t.deepEqual(
        await read(`${service.root}/Orgs?$apply=${printed(question)}`, size),
        expected,
        `${printed(question)} of ${JSON.stringify(forest)} in pages of ${size}`,
      );
    }
  };
  await fc.assert(fc.asyncProperty(forests, fc.array(questions, { minLength: 4, maxLength: 8 }), fc.integer({ min: 1, max: 5 }), check), {
    seed: 7,
    numRuns: 40,
  });
  t.true(telling > 60, `only ${telling} walks come to more than one node`);
});

// Two digits each, so that texts sort as the numbers do.
function nameOf(node: number): string {
  return String(node).padStart(2, '0');
}

async function load(forest: readonly Node[], { sequelize }: ToyService): Promise<void> {
  await sequelize.query('truncate "Org" cascade');
  for (const [index, { parent, rank }] of forest.entries()) {
    const bind = [index + 1, nameOf(index), rank, parent === undefined ? null : parent + 1];
    await sequelize.query('insert into "Org" ("#id", "ID", "Rank", "#Superordinate") values ($1, $2, $3, $4)', { bind });
  }
}

function printed(question: Question): string {
  const nodes = '$root/Orgs,OrgHierarchy,ID';
  if ('left' in question) {
    const subset = question.left.length === 0 ? '' : `,filter(not (ID in (${question.left.map((node) => `'${nameOf(node)}'`).join(',')})))`;
    return `traverse(${nodes},${question.kind}${subset},Rank${question.descending ? ' desc' : ''})`;
  }
  const { kind, starts, distance, keep } = question;
  const start = starts.length === 0 ? 'false' : `ID in (${starts.map((node) => `'${nameOf(node)}'`).join(',')})`;
  return `${kind}(${nodes},filter(${start})${distance === null ? '' : `,${distance}`}${keep ? ',keep start' : ''})`;
}

function walked(question: Question, forest: readonly Node[]): readonly string[] {
  if ('left' in question) return walkedWithout(question, forest);
  const { kind, starts, distance, keep } = question;
  const begin = starts.filter((node) => node < forest.length);
  return [...forest.keys()]
    .filter((node) =>
      begin.some((start) => {
        const steps = kind === 'ancestors' ? stepsUp(start, node, forest) : stepsUp(node, start, forest);
        return steps !== undefined && (steps > 0 || keep) && steps <= (distance ?? Infinity);
      }),
    )
    .map(nameOf);
}

// Omitted rows are no nodes and no parents.
function walkedWithout(question: Extract<Question, { left: number[] }>, forest: readonly Node[]): readonly string[] {
  const isLeft = (node: number | undefined): boolean => node !== undefined && question.left.includes(node);
  const kept = forest.map(({ parent, rank }) => ({ parent: isLeft(parent) ? undefined : parent, rank }));
  return traversed(undefined, question.kind === 'postorder', question.descending, kept)
    .filter((node) => !isLeft(node))
    .map(nameOf);
}

function stepsUp(from: number, to: number, forest: readonly Node[]): number | undefined {
  if (from === to) return 0;
  const parent = forest[from]?.parent;
  const steps = parent === undefined ? undefined : stepsUp(parent, to, forest);
  return steps === undefined ? undefined : steps + 1;
}

// Null is the lowest rank, and the key comes last, in the direction of what is before it.
function traversed(parent: number | undefined, isPostorder: boolean, descending: boolean, forest: readonly Node[]): readonly number[] {
  const sign = descending ? -1 : 1;
  const rankOf = (node: number): number => forest[node]?.rank ?? -1;
  const children = [...forest.keys()]
    .filter((node) => forest[node]?.parent === parent)
    .sort((a, b) => sign * (rankOf(a) - rankOf(b) || a - b));
  return children.flatMap((node) => {
    const beneath = traversed(node, isPostorder, descending, forest);
    return isPostorder ? [...beneath, node] : [node, ...beneath];
  });
}

async function read(url: string, size: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (let next: string | undefined = url; next !== undefined;) {
    const response: Response = await fetch(next, { headers: { Prefer: `maxpagesize=${size}` } });
    const page = (await response.json()) as {
      readonly value?: readonly { readonly ID: string }[];
      readonly '@odata.nextLink'?: string;
    };
    if (page.value === undefined) throw new Error(`${decodeURIComponent(next)} answered ${response.status}: ${JSON.stringify(page)}`);
    found.push(...page.value.map(({ ID }) => ID));
    next = page['@odata.nextLink'];
  }
  return found;
}
