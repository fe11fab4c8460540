import { signal } from '@preact/signals';
import { copyForms } from './copies.js';
import { notice, notify } from './notice.js';
import { publicRoot } from './service.js';
import { described } from './state.js';
import { Tabs } from './tabs.js';

const chosen = signal('curl');
const copied = 'Copied';
const tabs = copyForms.map(({ name, label }) => [name, label] as const);

/** The query as code. It reads the token from the environment: no copy has the token itself. */
export function Copy() {
  const form = copyForms.find(({ name }) => name === chosen.value);
  const written = form?.write({ root: publicRoot, address: described.value.address }) ?? '';
  return (
    <div class="copy">
      <div class="bar">
        <Tabs label="Form" tabs={tabs} chosen={chosen.value} onChoose={(name) => (chosen.value = name)} />
        <span class="grow" />
        <button type="button" class="run" onClick={() => void navigator.clipboard.writeText(written).then(() => notify(copied))}>
          {notice.value === copied ? copied : 'Copy'}
        </button>
      </div>
      <pre tabIndex={0}>{written}</pre>
    </div>
  );
}
