import { useState } from 'preact/hooks';
import type { Row } from './state.js';

const unsent = new Map<string, Row>();

/** Changes for an address that have not been sent; a record that is closed keeps them. */
export function useUnsent(address: string, narrow = (kept: Row): Row => kept) {
  const [values, setValues] = useState<Row>(() => narrow(unsent.get(address) ?? {}));
  const change = (next: (before: Row) => Row): void =>
    setValues((before) => {
      const after = next(before);
      unsent.set(address, after);
      return after;
    });
  return [values, change] as const;
}

/** Forgets the changes for an address. */
export function forgetUnsent(address: string): void {
  unsent.delete(address);
}
