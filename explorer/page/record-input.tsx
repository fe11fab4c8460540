import type { Field } from '../../runtime/edm/field.js';
import { valuesOf } from '../language/reach.js';
import { digitsOf } from './service.js';

interface InputProps {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (next: unknown) => void;
}

/** The input of a property: its list of values, or a text. */
export function Input({ name, field, value, isRequired, onChange }: InputProps) {
  const id = `edit-${name}`;
  const text = value === null || value === undefined ? '' : String(value);
  const isNumber = typeof value === 'number' || /Int|Byte|Decimal|Double|Single/.test(field.type);
  const values = valuesOf(field).map((literal) => literal.replace(/^'|'$/g, '').replaceAll("''", "'"));
  const given = (next: string): unknown => {
    if (next === '' && field.nullable) return null;
    if (field.type === 'Edm.Boolean') return next === 'true';
    // What a double cannot hold is sent as it is written: the service refuses it rather than rounds it.
    return isNumber && next !== '' && digitsOf(next) <= 15 && !Number.isNaN(Number(next)) ? Number(next) : next;
  };
  if (values.length > 0)
    return (
      <select id={id} value={text} aria-required={isRequired} onChange={(event) => onChange(given(event.currentTarget.value))}>
        {field.nullable && <option value="">null</option>}
        {[...new Set([...(text === '' ? [] : [text]), ...values])].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    );
  return (
    <input
      id={id}
      value={text}
      aria-required={isRequired}
      placeholder={field.nullable ? 'null' : ''}
      maxLength={field.maxLength}
      onInput={(event) => onChange(given(event.currentTarget.value))}
    />
  );
}
