import { useEffect, useState } from 'preact/hooks';
import { own } from '../../runtime/edm/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import { accessTo } from '../../runtime/plan/caller.js';
import { callerOf, valuesOf } from '../language/reach.js';
import { inWords } from './cells.js';
import { digitsOf, messageOf, send } from './service.js';
import { opened, type Row, rowType, run, tables, token } from './state.js';

/** The record that was chosen: its values, the moves of its state, and changes where the token may make them. */
export function Record() {
  const row = opened.value;
  const type = rowType.value;
  const [whole, setWhole] = useState<{ readonly row: Row; readonly etag: string | undefined }>();
  const address = row && type && addressOf(row, type);
  useEffect(() => {
    setWhole(undefined);
    if (address !== undefined) void readRecord(address).then(setWhole);
  }, [address]);
  if (!row) return null;
  const shown = whole?.row ?? row;
  return (
    <aside class="record" aria-label="Record">
      <div class="bar">
        <strong>{address ?? 'Record'}</strong>
        <span class="grow" />
        <button type="button" class="plain" aria-label="Close" onClick={() => (opened.value = undefined)}>
          ×
        </button>
      </div>
      {type && address !== undefined && whole ? (
        <Editable
          key={whole.etag ?? address}
          type={type}
          address={address}
          row={shown}
          etag={whole.etag}
          onSaved={() => void readRecord(address).then(setWhole)}
        />
      ) : (
        <Values row={shown} />
      )}
    </aside>
  );
}

async function readRecord(address: string): Promise<{ readonly row: Row; readonly etag: string | undefined } | undefined> {
  const { status, body, headers } = await send(address, { token: token.value });
  return status === 200 ? { row: body as Row, etag: headers.get('etag') ?? undefined } : undefined;
}

/** The address of a record, if its whole key is in the row and its type has a set. */
export function addressOf(row: Row, { entitySet, key, fields }: EntityType): string | undefined {
  if (entitySet === undefined || key.length === 0 || key.some((name) => row[name] === undefined || row[name] === null)) return undefined;
  const literals = key.map((name) => {
    const text = String(row[name]);
    return fields[name]?.type === 'Edm.String' ? `'${text.replaceAll("'", "''")}'` : text;
  });
  const named = literals.length === 1 ? literals : literals.map((literal, index) => `${key[index]}=${literal}`);
  return `/${entitySet}(${named
    .map(encodeURIComponent)
    .map((part) => part.replaceAll('%3D', '='))
    .join(',')})`;
}

function Values({ row }: { readonly row: Row }) {
  return (
    <dl>
      {Object.entries(row)
        .filter(([name]) => !name.includes('@'))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={inWords(value).kind}>{inWords(value).text}</dd>
          </div>
        ))}
    </dl>
  );
}

interface EditableProps {
  readonly type: EntityType;
  readonly address: string;
  readonly row: Row;
  readonly etag: string | undefined;
  readonly onSaved: () => void;
}

function Editable({ type, address, row, etag, onSaved }: EditableProps) {
  const [changes, setChanges] = useState<Row>({});
  const known = tables.value;
  const mayUpdate = known !== undefined && isUpdatable(type, known);
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...others } = changes;
    setChanges(Object.is(value, row[name]) ? others : { ...others, [name]: value });
  };
  return (
    <>
      <States type={type} row={row} changes={changes} mayMove={mayUpdate} onMove={set} />
      <dl>
        {Object.keys(row)
          .filter((name) => !name.includes('@'))
          .map((name) => (
            <Property key={name} name={name} type={type} row={row} changes={changes} mayUpdate={mayUpdate} onChange={set} />
          ))}
      </dl>
      {Object.keys(changes).length > 0 && (
        <Preview
          address={address}
          changes={{ ...requiredOf(type, row), ...changes }}
          etag={etag}
          onDiscard={() => setChanges({})}
          onSaved={onSaved}
        />
      )}
    </>
  );
}

// What the model requires in every change is sent as it is.
function requiredOf({ rules }: EntityType, row: Row): Row {
  return Object.fromEntries(rules.requiredOnUpdate.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]));
}

interface PropertyProps extends Pick<EditableProps, 'type' | 'row'> {
  readonly name: string;
  readonly changes: Row;
  readonly mayUpdate: boolean;
  readonly onChange: (name: string, next: unknown) => void;
}

function Property({ name, type, row, changes, mayUpdate, onChange }: PropertyProps) {
  const field = own(type.fields, name);
  const canEdit = mayUpdate && field !== undefined && isWritable(name, field, type);
  const { text, kind } = inWords(row[name]);
  return (
    <div class={name in changes ? 'changed' : ''}>
      <dt>{canEdit ? <label for={`edit-${name}`}>{name}</label> : name}</dt>
      <dd class={kind}>
        {canEdit ? (
          <Input name={name} field={field} value={name in changes ? changes[name] : row[name]} onChange={(next) => onChange(name, next)} />
        ) : (
          text
        )}
      </dd>
    </div>
  );
}

interface PreviewProps extends Pick<EditableProps, 'address' | 'etag' | 'onSaved'> {
  readonly changes: Row;
  readonly onDiscard: () => void;
}

/** The request that a change would be, and what the service says of it. */
function Preview({ address, changes, etag, onDiscard, onSaved }: PreviewProps) {
  const [said, setSaid] = useState<string>();
  const headers = etag === undefined ? {} : { 'If-Match': etag };
  const save = async (): Promise<void> => {
    const { status, body } = await send(address, { token: token.value, method: 'PATCH', headers, body: changes });
    if (status >= 400) return setSaid(faultsOf(body));
    onDiscard();
    onSaved();
    return run();
  };
  return (
    <div class="preview">
      <pre tabIndex={0}>
        {`PATCH ${address}\n${etag === undefined ? '' : `If-Match: ${etag}\n`}\n${JSON.stringify(changes, undefined, 2)}`}
      </pre>
      {said !== undefined && (
        <p class="error" role="alert">
          {said}
        </p>
      )}
      <div class="bar end">
        <button type="button" onClick={onDiscard}>
          Discard
        </button>
        <button type="button" class="run" onClick={() => void save()}>
          Send
        </button>
      </div>
    </div>
  );
}

function isUpdatable(type: EntityType, known: NonNullable<typeof tables.value>): boolean {
  return (
    !known.readOnly &&
    type.routes.some(({ operation }) => operation === 'updateEntity') &&
    accessTo(type, 'update', callerOf(known)).allowed
  );
}

function isWritable(name: string, { collection, complex, type }: Field, { rules, key, transitions, permissions }: EntityType): boolean {
  if (collection || complex !== undefined || /^Edm\.(?:Geo|Binary|Untyped)/.test(type) || name === transitions?.property) return false;
  const scopes = new Set(tables.value?.scopes);
  const granted = permissions.update?.filter(({ scope }) => scopes.has(scope));
  if (granted && granted.every(({ except }) => except.includes(name))) return false;
  return !rules.computed.includes(name) && !rules.immutable.includes(name) && !key.includes(name);
}

interface InputProps {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
}

function Input({ name, field, value, onChange }: InputProps) {
  const id = `edit-${name}`;
  const text = value === null || value === undefined ? '' : String(value);
  const isNumber = typeof value === 'number' || /Int|Byte|Decimal|Double|Single/.test(field.type);
  const values = valuesOf(field).map((literal) => literal.replace(/^'|'$/g, '').replaceAll("''", "'"));
  const given = (next: string): unknown => {
    if (next === '' && field.nullable) return null;
    if (field.type === 'Edm.Boolean') return next === 'true';
    // What a double cannot hold is sent as it is written: the service refuses it rather than rounds it.
    return isNumber && next !== '' && digitsOf(next) <= 15 && !Number.isNaN(Number(next)) ? Number(next) : next;
  };
  if (values.length > 0)
    return (
      <select id={id} value={text} onChange={(event) => onChange(given(event.currentTarget.value))}>
        {field.nullable && <option value="">null</option>}
        {[...new Set([...(text === '' ? [] : [text]), ...values])].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    );
  return (
    <input
      id={id}
      value={text}
      placeholder={field.nullable ? 'null' : ''}
      maxLength={field.maxLength}
      onInput={(event) => onChange(given(event.currentTarget.value))}
    />
  );
}

interface StatesProps extends Pick<EditableProps, 'type' | 'row'> {
  readonly changes: Row;
  readonly mayMove: boolean;
  readonly onMove: (name: string, value: unknown) => void;
}

// The present state, and those that its record may move to.
function States({ type: { transitions }, row, changes, mayMove, onMove }: StatesProps) {
  const property = transitions?.property;
  if (property === undefined || row[property] === undefined) return null;
  const present = String(row[property]);
  const next = own(transitions?.moves ?? {}, present) ?? [];
  return (
    <div class="states" role="group" aria-label={property}>
      <span class="state present">{present}</span>
      {next.length > 0 && '→'}
      {next.map(({ to, requires = [] }) => (
        <button
          type="button"
          key={to}
          class={`state${changes[property] === to ? ' chosen' : ''}`}
          disabled={!mayMove}
          title={requires.length > 0 ? `Requires ${requires.join(', ')}` : undefined}
          onClick={() => onMove(property, changes[property] === to ? row[property] : to)}
        >
          {to}
        </button>
      ))}
    </div>
  );
}

function faultsOf(body: unknown): string {
  const { error } = body as { readonly error?: { readonly details?: readonly { readonly message: string }[] } };
  return [messageOf(body) ?? 'The change was refused.', ...(error?.details ?? []).map(({ message }) => message)].join('\n');
}
