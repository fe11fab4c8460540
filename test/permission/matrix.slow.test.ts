import test from 'ava';
import { container } from '../../generated/index.js';
import { startService, type TestService } from '../support/service.js';
import { restrictedOf } from './restricted.js';

/** How a place answers a caller who may not see the property it is used for. */
type Expected =
  | 'refused' // 403, code 1015, naming it
  | 'empty' // 200, and no record
  | 'absent'; // 200, without it

/** Places where a property can be named: with PROPERTY for it, and VALUE for a literal of its type. */
const places: readonly (readonly [path: string, expected: Expected])[] = [
  ['/SET?$filter=PROPERTY eq VALUE', 'empty'],
  ['/SET?$filter=PROPERTY ne VALUE', 'empty'],
  ['/SET?$filter=PROPERTY eq null', 'empty'],
  ['/SET?$filter=not (PROPERTY eq VALUE)', 'empty'],
  ['/SET?$filter=PROPERTY eq VALUE or true', 'empty'],
  ['/SET?$filter=true or PROPERTY eq VALUE', 'empty'],
  ['/SET?$filter=(PROPERTY eq VALUE) eq false', 'empty'],
  ['/SET?$filter=PROPERTY in (VALUE,null)', 'empty'],
  ['/SET?$filter=case(PROPERTY eq null:VALUE,true:PROPERTY) eq VALUE', 'empty'],
  ['/SET?$filter=case(PROPERTY eq VALUE:true,true:true)', 'empty'],
  ['/SET?$filter=$it/PROPERTY eq VALUE', 'empty'],
  ['/SET?$filter=@p&@p=PROPERTY eq VALUE', 'empty'],
  ['/SET?$filter=cast(PROPERTY,Edm.String) ne null', 'empty'],
  ['/SET/$filter(PROPERTY ne null)', 'empty'],
  ['/SET/$count?$filter=PROPERTY ne null or true', 'empty'],
  ['/SET?$count=true&$top=0&$filter=PROPERTY ne null or true', 'empty'],
  ['/SET?$select=PROPERTY', 'absent'],
  ['/SET?$select=*', 'absent'],
  ['/SET', 'absent'],
  ['/SET?$orderby=PROPERTY', 'refused'],
  ['/SET?$orderby=PROPERTY desc', 'refused'],
  ['/SET?$orderby=case(PROPERTY eq null:VALUE,true:PROPERTY)', 'refused'],
  ['/SET?$compute=PROPERTY as Made', 'refused'],
  ['/SET?$compute=PROPERTY as Made&$filter=Made eq VALUE', 'refused'],
  ['/SET?$compute=case(PROPERTY eq null:VALUE,true:PROPERTY) as Made&$select=Made', 'refused'],
  ['/SET?$apply=aggregate(PROPERTY with max as Made)', 'refused'],
  ['/SET?$apply=aggregate(PROPERTY with countdistinct as Made)', 'refused'],
  ['/SET?$apply=groupby((PROPERTY))', 'refused'],
  ['/SET?$apply=groupby((PROPERTY),aggregate($count as Made))', 'refused'],
  ['/SET?$apply=filter(PROPERTY eq VALUE or true)', 'empty'],
  ['/SET?$apply=orderby(PROPERTY)', 'refused'],
  ['/SET?$apply=compute(PROPERTY as Made)', 'refused'],
  ['/SET(KEY)/PROPERTY', 'refused'],
  ['/SET(KEY)/PROPERTY/$value', 'refused'],
  ['/SET(KEY)', 'absent'],
  ['/SET(KEY)?$select=PROPERTY', 'absent'],
];

/** The same, by a navigation property from another set. */
const navigated: readonly (readonly [type: string, path: string, expected: Expected])[] = [
  ['Member', '/Property?$filter=ListAgent/PROPERTY eq VALUE', 'empty'],
  ['Member', '/Property?$filter=ListAgent/PROPERTY ne VALUE or true', 'empty'],
  ['Member', "/Property?$filter=$root/Member('M1')/PROPERTY eq VALUE or true", 'empty'],
  ['Member', '/Property?$orderby=ListAgent/PROPERTY', 'refused'],
  ['Member', '/Property?$expand=ListAgent', 'absent'],
  ['Member', '/Property?$expand=ListAgent($select=PROPERTY)', 'absent'],
  ['Member', '/Property?$compute=ListAgent/PROPERTY as Made', 'refused'],
  ['Member', '/Property?$apply=groupby((ListAgent/PROPERTY))', 'refused'],
  ['Member', '/Property?$apply=aggregate(ListAgent/PROPERTY with min as Made)', 'refused'],
  ['Member', "/Property('3')/ListAgent", 'absent'],
  ['Member', "/Property('3')/ListAgent/PROPERTY", 'refused'],
];

const restricted = Object.values(container.entityTypes).flatMap((type) => restrictedOf(type.name).map((name) => ({ type, name })));
const keys: { readonly [set: string]: string } = { Property: "'6'", Member: "'M1'", HistoryTransactional: "'none'" };

let service: TestService;
test.before(async () => {
  service = await startService();
});
test.after.always(() => service.stop());

test('the model restricts something, and every place is tried on it', (t) => {
  t.true(restricted.length >= 4);
  t.true(restricted.length * places.length >= 200);
});

for (const { type, name } of restricted) {
  test.serial(`${type.name}/${name} in every place, by scope`, async (t) => {
    const literal = type.fields[name]?.type === 'Edm.String' ? "'x'" : '1';
    const own = places.filter(([path]) => type.entitySet !== undefined && (!path.includes('KEY') || keys[type.entitySet] !== "'none'"));
    const others = navigated.filter(([target]) => target === type.name).map(([, path, expected]) => [path, expected] as const);
    for (const [form, expected] of [...own, ...others]) {
      const path = form
        .replaceAll('SET', type.entitySet ?? '')
        .replace('(KEY)', `(${keys[type.entitySet ?? ''] ?? ''})`)
        .replaceAll('PROPERTY', name)
        .replaceAll('VALUE', literal);
      const narrow = await ask(path, 'read');
      t.is(narrow.status, expected === 'refused' ? 403 : 200, `${path}: ${narrow.text}`);
      if (expected === 'refused') t.like(JSON.parse(narrow.text), { error: { code: '1015', target: name } }, path);
      if (expected === 'empty') t.regex(narrow.text, /^(.?0|\{.*"value":\[\]\})$/s, path);
      if (expected === 'absent')
        t.false(narrow.text.replace(/"@odata.context":"[^"]*"/, '').includes(`"${name}"`), `${path}: ${narrow.text}`);
      // Whoever may see it is not refused anywhere.
      const wide = await ask(path, 'all');
      t.true(wide.status === 200 || wide.status === 204, `${path}: ${wide.text}`);
    }
  });
}

async function ask(path: string, caller: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(service.root + path.replaceAll(' ', '%20'), {
    headers: { Authorization: `Bearer ${await service.token(caller)}` },
  });
  return { status: response.status, text: await response.text() };
}
