import { useRef, useState } from 'preact/hooks';
import { own } from '../../runtime/edm/index.js';
import { familyOf } from '../../runtime/expression/methods.js';
import type { Condition, QueryForm } from '../language/form.js';
import { functionOperators, type Member, membersOf, valuesOf } from '../language/reach.js';
import { CommittedInput } from './committed-input.js';
import { Add, Chips, Part, Remove, replaced } from './form-parts.js';
import { described, marks, queryType, setForm, setText, tables } from './state.js';

/** The same query as a form: both change one text, which the service's own printer writes. */
export function Form() {
  const type = queryType.value;
  const known = tables.value;
  if (!known) return null;
  const { form } = described.value;
  const [mistake] = marks.value;
  if (form === undefined) return mistake ? <p class="empty">The text has a mistake: {mistake.message}</p> : null;
  const members = type ? membersOf(type, known) : [];
  const relations = members.filter(({ field }) => field === undefined);
  return (
    <div class="form">
      {mistake?.severity === 'error' && (
        <p class="error" role="alert">
          {mistake.message}
        </p>
      )}
      <SetField />
      <Conditions form={form} properties={members.filter(({ field }) => field !== undefined)} />
      <Order form={form} members={members} />
      <Chips
        title="Properties"
        adding="Add a property"
        names={form.select}
        others={members}
        onChange={(select) => setForm({ ...form, select })}
      />
      <Chips
        title="Related records"
        adding="Add related records"
        names={form.expand}
        others={relations}
        onChange={(expand) => setForm({ ...form, expand })}
      />
      <Page form={form} />
    </div>
  );
}

function Conditions({ form, properties }: { readonly form: QueryForm; readonly properties: readonly Member[] }) {
  const { conditions } = form;
  return (
    <Part title="Conditions">
      {conditions.map((condition, index) => (
        <ConditionRow
          key={index}
          condition={condition}
          properties={properties}
          onChange={(next) => setForm({ ...form, conditions: replaced(conditions, index, next) })}
        />
      ))}
      <Add
        label="Add a condition"
        names={properties.map(({ name }) => name)}
        onAdd={(name, field) => {
          setForm({ ...form, conditions: [...conditions, firstCondition(name, properties)] });
          setTimeout(() => focusLast(field));
        }}
      />
    </Part>
  );
}

// The value of a new condition is written next.
function focusLast(field: HTMLElement): void {
  const [value] = [...(field.closest('fieldset')?.querySelectorAll('.row') ?? [])].at(-1)?.getElementsByTagName('input') ?? [];
  value?.focus();
  value?.select();
}

function Order({ form, members }: { readonly form: QueryForm; readonly members: readonly Member[] }) {
  const { order } = form;
  const sortable = members.filter(({ field }) => field && !field.collection && field.sortable !== false);
  return (
    <Part title="Order">
      {order.map(({ value, descending }, index) => (
        <div class="row" key={value}>
          <code>{value}</code>
          <button type="button" onClick={() => setForm({ ...form, order: replaced(order, index, { value, descending: !descending }) })}>
            {descending ? 'Descending' : 'Ascending'}
          </button>
          <Remove what={value} onRemove={() => setForm({ ...form, order: replaced(order, index, undefined) })} />
        </div>
      ))}
      <Add
        label="Sort by"
        names={sortable.map(({ name }) => name)}
        onAdd={(value) => setForm({ ...form, order: [...order, { value, descending: false }] })}
      />
    </Part>
  );
}

function Page({ form }: { readonly form: QueryForm }) {
  return (
    <Part title="Page">
      <label>
        Records
        <CommittedInput isNumber value={form.top} onCommit={(top) => setForm({ ...form, top })} />
      </label>
      <label>
        <input type="checkbox" checked={form.count} onChange={(event) => setForm({ ...form, count: event.currentTarget.checked })} />
        With the number of all
      </label>
    </Part>
  );
}

/** The set of the query, which another one replaces: an arrow key passes sets, and the one that it is left at counts. */
function SetField() {
  const { entitySets } = tables.value?.container ?? { entitySets: {} };
  const current = queryType.value?.entitySet ?? '';
  const isByKey = useRef(false);
  const [passed, setPassed] = useState<string>();
  const choose = (name: string): void => {
    setPassed(undefined);
    if (name !== current) setText(`GET /${name}\n$top=20`);
  };
  return (
    <label>
      Records of
      <select
        value={passed ?? current}
        onPointerDown={() => (isByKey.current = false)}
        onKeyDown={({ key, currentTarget }) => {
          isByKey.current = true;
          if (key === 'Enter') choose(currentTarget.value);
        }}
        onChange={({ currentTarget: { value } }) => (isByKey.current ? setPassed(value) : choose(value))}
        onBlur={({ currentTarget }) => choose(currentTarget.value)}
      >
        {own(entitySets, current) === undefined && <option value={current}>{current}</option>}
        {Object.keys(entitySets).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const orders = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];

interface ConditionProps {
  readonly condition: Condition;
  readonly properties: readonly Member[];
  readonly onChange: (next: Condition | undefined) => void;
}

function ConditionRow({ condition, properties, onChange }: ConditionProps) {
  if (condition.kind === 'text')
    return (
      <div class="row">
        <code>{condition.text}</code>
        <Remove what={condition.text} onRemove={() => onChange(undefined)} />
      </div>
    );
  const { left, operator, right } = condition;
  const field = properties.find(({ name }) => name === left)?.field;
  const isText = !field || familyOf[field.type] === 'string';
  const known = [...orders, 'in', ...(field?.enumeration?.flags ? ['has'] : []), ...(isText ? functionOperators : [])];
  return (
    <div class="row">
      <code>{left}</code>
      <select
        aria-label={`Operator of ${left}`}
        value={operator}
        onChange={(event) => onChange({ ...condition, ...withOperator(event.currentTarget.value, right) })}
      >
        {(known.includes(operator) ? known : [operator, ...known]).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <ValueInput
        name={left}
        value={right}
        values={field ? valuesOf(field) : []}
        onChange={(next) => onChange({ ...condition, right: next })}
      />
      <Remove what={left} onRemove={() => onChange(undefined)} />
    </div>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChange: (next: string) => void;
}

// A literal as OData writes it; a list proposes its values.
function ValueInput({ name, value, values, onChange }: ValueProps) {
  const list = `values-of-${name.replace(/\W/g, '-')}`;
  return (
    <>
      <CommittedInput label={`Value of ${name}`} value={value} list={list} onCommit={(next) => onChange(quotedLike(value, next))} />
      <datalist id={list}>
        {values.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

// The values of in have parentheses, and those of other operators none.
function withOperator(operator: string, right: string): Pick<Condition & { kind: 'comparison' }, 'operator' | 'right'> {
  if (operator === 'in') return { operator, right: right.startsWith('(') ? right : `(${right})` };
  return { operator, right: firstItem(right) };
}

function firstItem(right: string): string {
  return /^\(\s*('(?:[^']|'')*'|[^,)]*)/.exec(right)?.[1] ?? right;
}

// A text stays in quotes when a person types another one without them, and each one of a list does.
function quotedLike(before: string, next: string): string {
  if (before.startsWith('(') && !/^\(.*\)$/s.test(next))
    return `(${next
      .split(',')
      .map((item) => quotedLike(firstItem(before), item.trim()))
      .join(',')})`;
  return before.startsWith("'") && !/^(?:'.*'|null|@\w+)$/s.test(next) ? `'${next.replaceAll("'", "''")}'` : next;
}

function firstCondition(name: string, properties: readonly Member[]): Condition {
  const field = properties.find((member) => member.name === name)?.field;
  const [first] = field ? valuesOf(field) : [];
  const family = field && familyOf[field.type];
  const literal =
    family === 'number' ? '0' : family === 'date' ? new Date().toISOString().slice(0, 10) : family === 'string' ? "''" : 'null';
  const right = first ?? literal;
  if (field?.collection) return { kind: 'text', text: `${name}/any(${field.complex === undefined ? `x:x eq ${right}` : ''})` };
  return { kind: 'comparison', left: name, operator: 'eq', right };
}
