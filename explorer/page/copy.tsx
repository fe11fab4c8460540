import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { copyForms } from './copies.js';
import { publicRoot } from './service.js';
import { described } from './state.js';

const chosen = signal('curl');

/** The query as code. It reads the token from the environment: no copy has the token itself. */
export function Copy() {
  const [isCopied, setCopied] = useState(false);
  const form = copyForms.find(({ name }) => name === chosen.value);
  const written = form?.write({ root: publicRoot, address: described.value.address }) ?? '';
  return (
    <div class="copy">
      <div class="bar">
        <div class="tabs" role="tablist" aria-label="Form">
          {copyForms.map(({ name, label }) => (
            <button type="button" role="tab" key={name} aria-selected={chosen.value === name} onClick={() => (chosen.value = name)}>
              {label}
            </button>
          ))}
        </div>
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
