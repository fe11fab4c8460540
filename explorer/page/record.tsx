import { useEffect, useState } from 'preact/hooks';
import { own } from '../../runtime/edm/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import { addressOf } from './address.js';
import { inWords } from './cells.js';
import { messageOf, send } from './service.js';
import { Panel } from './panel.js';
import { Preview } from './preview.js';
import { Input } from './record-input.js';
import { States } from './states.js';
import { opened, ran, type Row, rowType, tables, token } from './state.js';
import { forgetUnsent, useUnsent } from './unsent.js';
import { type Change, isRequired, isWritable, mayWrite, requiredFirst } from './writing.js';

/** A record as the service has it, with its address. */
interface Known {
  readonly address: string;
  readonly row: Row;
  readonly etag: string | undefined;
}

/** Why a record cannot be read. */
interface Unread {
  readonly address: string;
  readonly fault: string;
}

/** The record that was chosen: its values, the moves of its state, and changes where the token may make them. */
export function Record() {
  const row = opened.value;
  const type = rowType.value;
  const [known, setKnown] = useState<Known | Unread>();
  const address = row && type && addressOf(row, type, ran.value);
  // An answer about another record than the one that is open is dropped.
  const show = (found: Known | Unread): void => {
    if (opened.value && rowType.value && found.address === addressOf(opened.value, rowType.value, ran.value)) setKnown(found);
  };
  useEffect(() => {
    if (address !== undefined) void readRecord(address).then(show);
  }, [address]);
  if (!row) return null;
  const whole = known?.address === address ? known : undefined;
  return (
    <Panel
      label="Record"
      title={address ?? 'Record'}
      isBusy={address !== undefined && whole === undefined}
      onClose={() => (opened.value = undefined)}
    >
      {whole && 'fault' in whole && (
        <p class="error pad" role="alert">
          {whole.fault}
        </p>
      )}
      {type && whole && 'row' in whole ? (
        <Editable key={whole.address} {...whole} type={typeOf(whole.row, type)} onRead={() => readRecord(whole.address).then(show)} />
      ) : (
        <Values row={row} />
      )}
    </Panel>
  );
}

// The record's own type, where that is derived from the type of its set.
function typeOf(row: Row, type: EntityType): EntityType {
  const name = String(row['@odata.type'] ?? '').replace(/^#/, '');
  const types = Object.values(tables.value?.container.entityTypes ?? {});
  return types.find(({ qualifiedName, place }) => qualifiedName === name && place === type.place) ?? type;
}

async function readRecord(address: string): Promise<Known | Unread> {
  try {
    const { status, body, headers } = await send(address, { token: token.value });
    if (status === 200) return { address, row: body as Row, etag: headers.get('etag') ?? undefined };
    return { address, fault: messageOf(body) ?? `The service answered ${status}.` };
  } catch (error) {
    return { address, fault: `The service cannot be reached: ${(error as Error).message}` };
  }
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
  readonly onRead: () => Promise<void>;
}

function Editable(props: EditableProps) {
  const { type, address, row, onRead } = props;
  const [isDeleting, setDeleting] = useState(false);
  const [changes, setChanges] = useUnsent(address, (kept) => differing(kept, row));
  const mayUpdate = mayWrite(type, 'update');
  const set = (name: string, value: unknown): void => setChanges((before) => differing({ ...before, [name]: value }, row));
  const saved = async (): Promise<void> => {
    await onRead();
    // What was changed while they were sent is still to be sent.
    setChanges((now) => differing(now, changes));
  };
  return (
    <>
      {mayWrite(type, 'delete') && (
        <button type="button" class="delete" onClick={() => setDeleting(true)}>
          Delete
        </button>
      )}
      <States type={type} row={row} changes={changes} mayMove={mayUpdate} onMove={set} />
      <Properties type={type} row={row} changes={changes} {...(mayUpdate && { change: 'update' })} onChange={set} />
      <Request
        {...props}
        changes={changes}
        isDeleting={isDeleting}
        onKeep={() => setDeleting(false)}
        onDiscard={() => setChanges(() => ({}))}
        onSaved={saved}
      />
    </>
  );
}

interface RequestProps extends EditableProps {
  readonly changes: Row;
  /** Whether the record is to be deleted, once the request for it is confirmed. */
  readonly isDeleting: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
  readonly onSaved: () => Promise<void>;
}

// The request that deletes the record or changes it, before it is sent.
function Request({ type, address, row, etag, changes, isDeleting, onKeep, onRead, onDiscard, onSaved }: RequestProps) {
  // Another one may have changed the record, which is why the request was refused.
  const withdraw = (): void => {
    if (isDeleting) onKeep();
    else onDiscard();
    void onRead();
  };
  const closeDeleted = (): void => {
    forgetUnsent(address);
    opened.value = undefined;
  };
  const shared = { address, etag, onDiscard: withdraw };
  if (isDeleting) return <Preview key="delete" method="DELETE" {...shared} onSaved={closeDeleted} />;
  if (Object.keys(changes).length === 0) return null;
  return <Preview key="change" method="PATCH" {...shared} changes={{ ...requiredOf(type, row), ...changes }} onSaved={onSaved} />;
}

function differing(values: Row, others: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(others[name])));
}

// What the model requires in every change is sent as it is, if it has a value.
function requiredOf({ rules }: EntityType, row: Row): Row {
  return Object.fromEntries(
    rules.requiredOnUpdate.filter((name) => row[name] !== undefined && row[name] !== null).map((name) => [name, row[name]]),
  );
}

function Properties(props: Omit<PropertyProps, 'name'>) {
  const { row, type, change } = props;
  const names = Object.keys(row).filter((name) => !name.includes('@'));
  return (
    <dl>
      {(change ? requiredFirst(names, type, change) : names).map((name) => (
        <Property key={name} name={name} {...props} />
      ))}
    </dl>
  );
}

interface PropertyProps extends Pick<EditableProps, 'type' | 'row'> {
  readonly name: string;
  readonly changes: Row;
  /** The change that the property may be part of, if any. */
  readonly change?: Change;
  readonly onChange: (name: string, next: unknown) => void;
}

/** A property of a record, with an input where it may be changed. */
export function Property({ name, type, row, changes, change, onChange }: PropertyProps) {
  const field = own(type.fields, name);
  const given = row[name];
  const canEdit = change !== undefined && field !== undefined && isWritable(name, field, type, change);
  const mustGive = canEdit && isRequired(name, type, change);
  const { text, kind } = inWords(given);
  return (
    <div class={name in changes ? 'changed' : ''}>
      <dt>
        {canEdit ? <label for={`edit-${name}`}>{name}</label> : name}
        {mustGive && <small>required</small>}
      </dt>
      <dd class={kind}>
        {canEdit ? (
          <Input
            name={name}
            field={field}
            given={given}
            value={name in changes ? changes[name] : given}
            isRequired={mustGive}
            onChange={(next) => onChange(name, next)}
          />
        ) : (
          text
        )}
      </dd>
    </div>
  );
}
