import { inSlot, Slot } from '../expression/slot.js';

/** A value of the order's in the last record of a page, in the database's text form. That it is null decides the condition behind it. */
export interface KeysetValue {
  readonly isNull: boolean;
  readonly value: string | null;
}

/** The values that a page goes on behind; a plan that is kept serves others too, which then stand in slots from `firstSlot` on. */
export function keysetValues(values: readonly (string | null)[], firstSlot?: number): readonly KeysetValue[] {
  return values.map((value, index) => {
    const known: KeysetValue = { isNull: value === null, value };
    if (value === null || firstSlot === undefined) return known;
    return inSlot(known, 'value', { slot: new Slot(firstSlot + index, value), form: asIs });
  });
}

/** Which of the values are null, as a part of a request's shape. */
export function nullPattern(values: readonly (string | null)[]): string {
  return values.map((value) => (value === null ? 'n' : 'v')).join('');
}

const asIs = (text: string): string => text;
