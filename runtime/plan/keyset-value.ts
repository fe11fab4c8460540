import { asIs, withParameter, PlanParameter } from '../expression/plan-parameter.js';

/** The value of an order term in a page's last row, as the database's text. Whether it is null determines the form of the condition. */
export interface KeysetValue {
  readonly isNull: boolean;
  readonly value: string | null;
}

/** The values after which a page continues; in a kept plan they are parameters from `firstParameter` on. */
export function keysetValues(values: readonly (string | null)[], firstParameter?: number): readonly KeysetValue[] {
  return values.map((value, index) => {
    const known: KeysetValue = { isNull: value === null, value };
    if (value === null || firstParameter === undefined) return known;
    return withParameter(known, 'value', { parameter: new PlanParameter(firstParameter + index, value), form: asIs });
  });
}

/** The nulls among the values, as part of a request's shape. */
export function nullPattern(values: readonly (string | null)[]): string {
  return values.map((value) => (value === null ? 'n' : 'v')).join('');
}
