import { useEffect, useState } from 'preact/hooks';
import { own } from '../../runtime/edm/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import { accessTo } from '../../runtime/plan/caller.js';
import { callerOf } from '../language/reach.js';
import { inWords } from './cells.js';
import { messageOf, send } from './service.js';
import { Input } from './record-input.js';
import { States } from './states.js';
import { opened, type Row, rowType, runAgain, tables, token } from './state.js';

/** A record as the service has it, with its address. */
interface Known {
  readonly address: string;
  readonly row: Row;
  readonly etag: string | undefined;
}

/** The record that was chosen: its values, the moves of its state, and changes where the token may make them. */
export function Record() {
  const row = opened.value;
  const type = rowType.value;
  const [known, setKnown] = useState<Known>();
  const address = row && type && addressOf(row, type);
  // An answer about another record than the one that is open is dropped.
  const show = (found: Known | undefined): void => {
    if (found && opened.value && rowType.value && found.address === addressOf(opened.value, rowType.value)) setKnown(found);
  };
  useEffect(() => {
    if (address !== undefined) void readRecord(address).then(show);
  }, [address]);
  if (!row) return null;
  const whole = known?.address === address ? known : undefined;
  return (
    <aside class="record" aria-label="Record" aria-busy={address !== undefined && whole === undefined}>
      <div class="bar">
        <strong>{address ?? 'Record'}</strong>
        <span class="grow" />
        <button type="button" class="plain" aria-label="Close" onClick={() => (opened.value = undefined)}>
          ×
        </button>
      </div>
      {type && whole ? (
        <Editable key={whole.address} {...whole} type={type} onSaved={() => readRecord(whole.address).then(show)} />
      ) : (
        <Values row={row} />
      )}
    </aside>
  );
}

async function readRecord(address: string): Promise<Known | undefined> {
  const { status, body, headers } = await send(address, { token: token.value });
  return status === 200 ? { address, row: body as Row, etag: headers.get('etag') ?? undefined } : undefined;
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

interface EditableProps extends Known {
  readonly type: EntityType;
  readonly onSaved: () => Promise<void>;
}

function Editable({ type, address, row, etag, onSaved }: EditableProps) {
  const [changes, setChanges] = useState<Row>({});
  const known = tables.value;
  const mayUpdate = known !== undefined && isUpdatable(type, known);
  const set = (name: string, value: unknown): void => {
    setChanges((before) =>
      Object.fromEntries(Object.entries({ ...before, [name]: value }).filter(([one]) => one !== name || !Object.is(value, row[name]))),
    );
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
          onSaved={async () => {
            await onSaved();
            // What was changed while they were sent is still to be sent.
            setChanges((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => !Object.is(value, changes[name]))));
          }}
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
  const [isSending, setSending] = useState(false);
  const save = async (): Promise<void> => {
    setSending(true);
    const fault = await faultOfSending(address, etag, changes);
    setSaid(fault);
    if (fault === undefined) await Promise.all([onSaved(), runAgain()]);
    setSending(false);
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
        <button type="button" class="run" disabled={isSending} onClick={() => void save()}>
          Send
        </button>
      </div>
    </div>
  );
}

// Why a change was refused, or could not be sent.
async function faultOfSending(address: string, etag: string | undefined, body: Row): Promise<string | undefined> {
  const headers = etag === undefined ? {} : { 'If-Match': etag };
  try {
    const answer = await send(address, { token: token.value, method: 'PATCH', headers, body });
    return answer.status >= 400 ? faultsOf(answer.body) : undefined;
  } catch (error) {
    return `The service cannot be reached: ${(error as Error).message}`;
  }
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

function faultsOf(body: unknown): string {
  const { error } = body as { readonly error?: { readonly details?: readonly { readonly message: string }[] } };
  return [messageOf(body) ?? 'The change was refused.', ...(error?.details ?? []).map(({ message }) => message)].join('\n');
}
