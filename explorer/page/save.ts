import { signal } from '@preact/signals';
import { notify } from './notice.js';
import { fetchFile } from './service.js';
import { failure, ran, rowType, token } from './state.js';

/** Whether a file is being read. */
export const saving = signal(false);

/** Saves the records of the answer's query as a file: all of them, not only a page. */
export async function save(): Promise<void> {
  if (saving.value || !ran.value) return;
  saving.value = true;
  try {
    const link = document.createElement('a');
    // A format that the query names would take the place of the file's.
    const address = ran.value.address.replace(/([?&])\$?format=[^&]*&?/i, '$1');
    link.href = URL.createObjectURL(await fetchFile(address, token.value));
    link.download = `${rowType.value?.entitySet ?? 'records'}.csv`;
    link.click();
    // The browser has begun to read it then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    notify('Saved');
  } catch (error) {
    failure.value = `The file cannot be saved: ${(error as Error).message}`;
  } finally {
    saving.value = false;
  }
}
