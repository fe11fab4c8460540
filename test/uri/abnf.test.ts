import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import '../support/features.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { enumFault } from '../../runtime/expression/literals.js';
import { parseFilter } from '../../runtime/expression/parser.js';
import { isAliasName } from '../../runtime/uri/option-names.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import { percentDecode } from '../../runtime/uri/decode-url.js';
import { readJsonBatch } from '../../runtime/features/batch/read-json.js';
import { parsePrefer } from '../../runtime/protocol/prefer.js';
import { negotiateVersion } from '../../runtime/protocol/negotiate.js';
import { validateText } from '../../runtime/plan/value/value-text.js';
import { parseGeoLiteral } from '../../runtime/features/geo/well-known-text.js';
import { planPath } from '../../runtime/plan/read/plan-path.js';
import { createAliases } from '../../runtime/plan/scope.js';
import { compileModel, temporaryFolder } from '../toy/toy-service.js';
import type { PrimitiveTypeName } from '../../runtime/edm/index.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import { errors } from '../../runtime/errors/catalogue.js';

/** Rules of texts that this service never reads. */
const unread: { readonly [rule: string]: string } = {
  context: 'the service writes context URLs and reads none',
};

/** Cases with another outcome than the grammar's, with the reason: `+` must be read by the grammar, `-` refused. */
const different: { readonly [title: string]: string } = {
  '+ dateTimeOffsetValue "-10000-04-01T00:00Z"': 'values are of the years 0001 to 9999; in an expression the literal is read',
  '+ decimalValue "INF"': 'a stored decimal number is finite',
  [`- odataRelativeUri "Categories('Smartphone/Tablet')"`]: 'a slash within quotes can only be part of the key, so it is taken as that',
  [`- resourcePath "Categories('Tablet/Slate')"`]: 'a slash within quotes can only be part of the key, so it is taken as that',
  '- odataRelativeUri "Products(1)/Model.BestSellingProduct/Model.BestSellingProduct"':
    'a cast to what a record is already changes nothing',
  [`- includeAnnotationsPreference "odata.include-annotations=\\"Namespace\\""`]:
    'a preference that cannot be read is ignored (RFC 7240, 2)',
  '- maxpagesizePreference "odata.maxpagesize=0"': 'a preference that cannot be read is ignored (RFC 7240, 2)',
};

/** Paths whose form is that of others: what names are bound to, and of which type a key is, the planner knows, and refuses the rest. */
const planned: ReadonlySet<string> = new Set([
  '- odataRelativeUri "Model.Rejection"',
  '- odataRelativeUri "Categories/TheBestProduct()"',
  '- odataRelativeUri "Categories(1)/Address/$value"',
  '- odataRelativeUri "Categories(1)/Thumbnail/$value"',
  '- resourcePath "Categories(ID=wrong)"',
]);

interface AbnfCase {
  readonly Name: string;
  readonly Rule: string;
  readonly Input: string;
  /** Present when the input must be refused. */
  readonly FailAt?: number;
}

const { TestCases: cases } = JSON.parse(readFileSync(join('test', 'uri', 'abnf-cases.json'), 'utf8')) as { TestCases: readonly AbnfCase[] };

type Read = (input: string) => unknown;

const expression: Read = (input) => parseFilter(percentDecode(input, 'expression'));
const query: Read = (input) => parseQueryOptions(input);

/** A fragment is for the client alone and is never sent. */
const relativeUri: Read = (input) => {
  const [sent = ''] = input.split('#');
  const mark = sent.indexOf('?');
  parseResourcePath(mark < 0 ? sent : sent.slice(0, mark));
  parseQueryOptions(mark < 0 ? '' : sent.slice(mark + 1));
};

/** A literal of one type: text that is one of another type does not follow the rule. */
const literal =
  (...types: readonly string[]): Read =>
  (input) => {
    const expr = parseFilter(percentDecode(input, 'expression'));
    if ((expr.kind === 'literal' || expr.kind === 'enum') && types.includes(expr.type)) return;
    throw errors.typeMismatch(`${input} is another literal.`);
  };

const value =
  (type: PrimitiveTypeName): Read =>
  (input) => {
    if (validateText({ type }, input) !== undefined) throw errors.invalidValue(input, type, '');
  };

const header: Read = (input) => {
  const [name = '', ...rest] = input.split(':');
  return negotiateVersion({
    method: 'GET',
    path: '/',
    query: '',
    body: Buffer.alloc(0),
    header: (asked: string) => (asked === name ? rest.join(':') : undefined),
  } as unknown as Parameters<typeof negotiateVersion>[0]);
};

const rawTypes = [
  'Edm.Guid',
  'Edm.Boolean',
  'Edm.Binary',
  'Edm.Date',
  'Edm.DateTimeOffset',
  'Edm.Duration',
  'Edm.TimeOfDay',
  'Edm.Double',
] as const;

// A value by itself is that of any type but a string, or a place as it stands in a literal.
const rawValue: Read = (input) => {
  if (rawTypes.some((type) => validateText({ type }, input) === undefined)) return undefined;
  return parseGeoLiteral(input, 'Edm.Geometry', '$filter');
};

// oxfmt-ignore
/** How each rule of the ABNF is read. */
const entries: { readonly [rule: string]: Read } = {
  odataUri: (input) => relativeUri(input.replace(/^https?:\/\/[^/]+/, '')),
  odataRelativeUri: relativeUri,
  resourcePath: (input) => parseResourcePath(input),
  ...Object.fromEntries(['filter', 'orderby', 'orderBy', 'expand', 'select', 'search', 'compute', 'skiptoken', 'queryOptions', 'systemQueryOption', 'customQueryOption'].map((rule) => [rule, query])),
  ...Object.fromEntries(['commonExpr', 'boolCommonExpr', 'boolcommonExpr', 'notExpr', 'isofExpr', 'firstMemberExpr', 'propertyPathExpr'].map((rule) => [rule, expression])),
  anyExpr: (input) => parseFilter(`Items/${input}`),
  boolean: literal('Edm.Boolean'),
  null: literal('null'),
  stringLiteral: literal('Edm.String'),
  primitiveLiteral: expression,
  binaryLiteral: literal('Edm.Binary'),
  date: literal('Edm.Date'),
  dateTimeOffsetLiteral: literal('Edm.DateTimeOffset'),
  timeOfDayLiteral: literal('Edm.TimeOfDay'),
  durationLiteral: literal('Edm.Duration'),
  guid: literal('Edm.Guid'),
  doubleLiteral: literal('Edm.Double'),
  ...Object.fromEntries(['sbyte', 'int16', 'int32', 'int64'].map((type) => [`${type}Literal`, literal('Edm.Int64')])),
  enumLiteral: literal('Sales.Pattern', 'Edm.String'),
  ...Object.fromEntries(['LineString', 'MultiPoint', 'MultiPolygon', 'Point', 'Polygon'].flatMap((shape) => [[`geography${shape}`, literal('Edm.Geography')], [`geometry${shape}`, literal('Edm.Geometry')]])),
  odataIdentifier: (input) => isAliasName(`@${input}`),
  'request-id': (input) => readJsonBatch(Buffer.from(JSON.stringify({ requests: [{ id: input, method: 'get', url: 'X' }] }))),
  primitiveValue: rawValue,
  booleanValue: value('Edm.Boolean'),
  dateValue: value('Edm.Date'),
  dateTimeOffsetValue: value('Edm.DateTimeOffset'),
  timeOfDayValue: value('Edm.TimeOfDay'),
  durationValue: value('Edm.Duration'),
  decimalValue: value('Edm.Decimal'),
  doubleValue: value('Edm.Double'),
  singleValue: value('Edm.Single'),
  enumValue: (input) => {
    if (enumFault(input, 'Sales.Pattern') !== undefined) throw errors.invalidValue(input, 'Sales.Pattern', '');
  },
  header,
  ...Object.fromEntries(['prefer', 'preference', 'maxpagesizePreference', 'includeAnnotationsPreference'].map((rule) => [rule, (input: string) => parsePrefer(input.replace(/^Prefer: /, ''))])),
};

/** Whether the input was read; anything but an ODataError of status 400 is a fault of ours. */
function isRead(each: AbnfCase): boolean {
  const { Rule, Input } = each;
  const title = titleOf(each);
  const read = entries[Rule];
  if (read === undefined) throw new Error(`Nothing reads the rule ${Rule}.`);
  try {
    read(Input);
    return !planned.has(title) || isPlanned(Input);
  } catch (error) {
    if (error instanceof ODataError && error.status === 400) return false;
    throw error;
  }
}

// No stage after the planner rejects a path.
function isPlanned(path: string): boolean {
  try {
    planPath(parseResourcePath(path), { container, caller: { subject: '', scopes: new Set() }, aliases: createAliases() });
    return true;
  } catch (error) {
    if (error instanceof ODataError && (error.status === 400 || error.status === 404)) return false;
    throw error;
  }
}

const titleOf = ({ Rule, Input, FailAt }: AbnfCase): string => `${FailAt === undefined ? '+' : '-'} ${Rule} ${JSON.stringify(Input)}`;

let container: EntityContainer;
test.before(async () => {
  const folder = temporaryFolder();
  ({ container } = await compileModel('test/uri/abnf-model.xml', folder));
  rmSync(folder, { recursive: true });
});

test('the cases of the OASIS grammar are all here', (t) => {
  t.is(cases.length, 420);
});

test('every case of the OASIS grammar is read or refused as it must be', (t) => {
  const wrong = cases
    .filter((each) => !(each.Rule in unread) && !(titleOf(each) in different))
    .filter((each) => isRead(each) !== (each.FailAt === undefined));
  t.deepEqual(wrong.map(titleOf), []);
});

test('every difference from the OASIS grammar is one', (t) => {
  const titles = new Map(cases.map((each) => [titleOf(each), each]));
  const stale = Object.keys(different).filter((title) => {
    const each = titles.get(title);
    return each === undefined || (!(each.Rule in unread) && isRead(each) === (each.FailAt === undefined));
  });
  t.deepEqual(stale, []);
  t.deepEqual(
    Object.keys(unread).filter((rule) => !cases.some(({ Rule }) => Rule === rule)),
    [],
  );
});
