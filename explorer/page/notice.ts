import { signal } from '@preact/signals';

/** The thing that was done just now, also for screen readers. */
export const notice = signal('');

const shown = 1500;

/** Says for a moment that something is done. */
export function notify(text: string): void {
  notice.value = text;
  setTimeout(() => (notice.value = ''), shown);
}
