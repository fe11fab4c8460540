import test from 'ava';
import { container } from '../../generated/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { startService, type TestService } from '../support/service.js';
import { payloads, type Payloads } from './payloads.js';

const codes: ReadonlySet<string> = new Set(Object.values(errors).map(({ code }) => code));
/** So many properties of a type have all of its attacks; the others have a dozen each, another dozen every time. */
const wholly = 6;
const dozen = 12;

let service: TestService;
let headers: Readonly<Record<string, string>>;

test.before(async () => {
  service = await startService();
  headers = { Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
});
test.after.always(() => service.stop());

/** One property of the model that an attack is made on. */
interface Attacked {
  readonly type: EntityType;
  readonly set: string;
  readonly name: string;
  readonly field: Field;
}

const properties = Object.values(container.entityTypes).flatMap(propertiesOf);
const attacked = [...new Set(properties.map(typeOf))].map(
  (type) => [type, properties.filter((property) => typeOf(property) === type)] as const,
);

function propertiesOf(type: EntityType): readonly Attacked[] {
  const set = type.entitySet;
  if (set === undefined) return [];
  return Object.entries(type.fields)
    .filter(([, field]) => field.filterable !== false)
    .map(([name, field]) => ({ type, set, name, field }));
}

function typeOf({ field }: Attacked): string {
  return field.type + (field.collection ? '[]' : '');
}

test('every type of the model has its attacks, twelve and more each, three hundred and more in all', (t) => {
  t.deepEqual(
    attacked.map(([type]) => type).filter((type) => payloads[type] === undefined),
    [],
  );
  const counts = attacked.map(([type]) => Object.values(payloads[type] ?? {}).flat().length);
  t.true(Math.min(...counts) >= 12);
  const cases = attacked.flatMap(([type, properties]) => properties.map((_, index) => Object.values(attacksOn(type, index)).flat().length));
  t.true(Math.min(...cases) >= dozen);
  t.true(cases.reduce((sum, count) => sum + count) >= 300);
});

/** The attacks on a property, by its place among those of its type. */
function attacksOn(type: string, index: number): Pick<Payloads, 'refused' | 'none'> {
  const { refused = [], none = [] } = payloads[type] ?? {};
  if (index < wholly) return { refused, none };
  const some = (all: readonly string[], count: number): readonly string[] =>
    Array.from({ length: Math.min(count, all.length) }, (_, at) => all[(index * count + at) % all.length] ?? '');
  return none.length === 0 ? { refused: some(refused, dozen), none } : { refused: some(refused, dozen - 4), none: some(none, 4) };
}

for (const [type, properties] of attacked) {
  for (const [index, { set, name, field }] of properties.entries()) {
    test.serial(`${type}: conditions on ${set}/${name}`, async (t) => {
      const { refused, none } = attacksOn(type, index);
      for (const literal of refused) await check(literal, 400);
      for (const literal of none) t.deepEqual(((await check(literal, 200)) as { readonly value: unknown }).value, [], literal);
      // A control, so that refusing everything does not pass.
      await check('null', 200);

      async function check(literal: string, status: number): Promise<unknown> {
        const response = await fetch(`${service.root}/${set}?$filter=${conditionOf(name, field, literal)}`, { headers });
        const text = await response.text();
        t.is(response.status, status, `${literal}: ${text.slice(0, 300)}`);
        const body = JSON.parse(text) as { readonly error?: { readonly code: string; readonly message: string } };
        if (status === 400) checkError(body.error, text);
        return body;
      }

      function checkError(error: { readonly code: string; readonly message: string } | undefined, text: string): void {
        t.true(codes.has(error?.code ?? ''), text);
        // Nothing of PostgreSQL's words, and no place in our code.
        t.notRegex(text, /at or near|node_modules|\.js:\d+/);
      }
    });
  }
}

for (const [type, properties] of attacked) {
  const target = properties.find(
    ({ type: owner, name }) =>
      owner.name === 'Property' &&
      !owner.rules.computed.includes(name) &&
      !(name in owner.rules.references) &&
      owner.transitions?.property !== name &&
      !owner.rules.initialOnly.includes(name) &&
      !owner.key.includes(name),
  );
  if (target === undefined) continue;
  test.serial(`${type}: values of Property/${target.name} in a body`, async (t) => {
    for (const value of payloads[type]?.unwritable ?? []) {
      const body = `{"ListAgentKey":"M1","ListOfficeKey":"M1","PropertyType":"Residential","StreetNumber":"1","StreetName":"a","City":"b","${target.name}":${value}}`;
      const response = await fetch(`${service.root}/Property`, { method: 'POST', headers, body });
      const text = await response.text();
      t.is(response.status, 400, `${value}: ${text.slice(0, 300)}`);
      t.regex(text, new RegExp(`"target":"${target.name}|"code":"1001"`), value);
    }
  });
}

test.serial("a body's hostile texts are stored and read back as they are, and nothing else happens", async (t) => {
  const before = await count();
  const texts = (payloads['Edm.String']?.none ?? [])
    .map((literal) => decodeURIComponent(literal).slice(1, -1).replaceAll("''", "'"))
    .filter((text) => [...text].length <= 50 && text !== '');
  for (const text of texts) {
    const body = JSON.stringify({
      ListAgentKey: 'M1',
      ListOfficeKey: 'M1',
      PropertyType: 'Residential',
      StreetNumber: '1',
      StreetName: text,
      City: 'Attack',
    });
    const created = await fetch(`${service.root}/Property`, { method: 'POST', headers, body });
    t.is(created.status, 201, text);
    t.is(((await created.json()) as { readonly StreetName: string }).StreetName, text);
    const found = await fetch(
      `${service.root}/Property?$filter=StreetName eq '${encodeURIComponent(text.replaceAll("'", "''"))}' and City eq 'Attack'&$select=StreetName`,
      { headers },
    );
    t.deepEqual(
      ((await found.json()) as { readonly value: readonly { readonly StreetName: string }[] }).value.map(({ StreetName }) => StreetName),
      [text],
    );
  }
  t.is(await count(), before + texts.length);
});

async function count(): Promise<number> {
  return Number(await (await fetch(`${service.root}/Property/$count`, { headers })).text());
}

function conditionOf(name: string, { type, collection }: Field, literal: string): string {
  if (type === 'Edm.GeographyPoint') return `geo.distance(${name},${literal})%20lt%200`;
  return collection ? `${name}/any(x:x%20eq%20${literal})` : `${name}%20eq%20${literal}`;
}
