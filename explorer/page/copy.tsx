import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { copyForms } from './copies.js';
import { publicRoot } from './service.js';
import { described } from './state.js';
import { Tabs } from './tabs.js';

const chosen = signal('curl');
const tabs = copyForms.map(({ name, label }) => [name, label] as const);

/** The query as code. It reads the token from the environment: no copy has the token itself. */
export function Copy() {
  const [isCopied, setCopied] = useState(false);
  const form = copyForms.find(({ name }) => name === chosen.value);
  const written = form?.write({ root: publicRoot, address: described.value.address }) ?? '';
  return (
    <div class="copy">
      <div class="bar">
        <Tabs label="Form" tabs={tabs} chosen={chosen.value} onChoose={(name) => (chosen.value = name)} />
        <span class="grow" />
        <button
          type="button"
          class="run"
          onClick={() => {
            void navigator.clipboard.writeText(written).then(() => setCopied(true));
            setTimeout(() => setCopied(false), 1500);
          }}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre tabIndex={0}>{written}</pre>
    </div>
  );
}
