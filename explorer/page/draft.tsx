import { own } from '../../runtime/edm/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import { Panel } from './panel.js';
import { Preview } from './preview.js';
import { Property } from './record.js';
import { collectionOf } from './address.js';
import { drafting, opened, ran, type Row, rowType } from './state.js';
import { forgetUnsent, useUnsent } from './unsent.js';
import { isWritable, requiredFirst } from './writing.js';

/** A record that is to be created in the collection of the answer: the properties that creation permits, the required ones first. */
export function Draft() {
  const type = rowType.value;
  const address = type && collectionOf(type, ran.value);
  const [values, setValues] = useUnsent(address ?? '');
  if (!type || address === undefined) return null;
  const show = (created: unknown): void => {
    forgetUnsent(address);
    drafting.value = false;
    opened.value = created as Row;
  };
  // A property that was emptied is omitted, and has its default.
  const set = (name: string, value: unknown): void =>
    setValues((before) => Object.fromEntries(Object.entries({ ...before, [name]: value }).filter(([, one]) => String(one ?? '') !== '')));
  return (
    <Panel label="New record" title={`New in ${type.entitySet ?? address}`} onClose={() => (drafting.value = false)}>
      <dl>
        {namesOf(type).map((name) => (
          <Property key={name} name={name} type={type} row={{}} changes={values} change="insert" onChange={set} />
        ))}
      </dl>
      <Preview method="POST" address={address} changes={values} onDiscard={() => setValues(() => ({}))} onSaved={show} />
    </Panel>
  );
}

function namesOf(type: EntityType): readonly string[] {
  const names = Object.keys(type.fields).filter((name) => {
    const field = own(type.fields, name);
    return field !== undefined && !name.includes('/') && isWritable(name, field, type, 'insert');
  });
  return requiredFirst(names, type, 'insert');
}
