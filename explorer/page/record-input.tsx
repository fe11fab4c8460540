import { useState } from 'preact/hooks';
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
export function Input(props: InputProps) {
  const { field, value, onChange } = props;
  if (field.collection) return <Items {...props} />;
  const text = value === null || value === undefined ? '' : String(value);
  const give = (next: string): void => onChange(next === '' && field.nullable ? null : parse(next, field));
  if (field.enumeration?.flags)
    return <Choice {...props} chosen={text === '' ? [] : text.split(',')} onChoose={(flags) => give(flags.join(','))} />;
  return listOf(field).length > 0 ? <Listed {...props} text={text} give={give} /> : <Text {...props} text={text} give={give} />;
}

interface TextProps extends Pick<InputProps, 'name' | 'field' | 'isRequired'> {
  readonly text: string;
  readonly give: (next: string) => void;
}

function Listed({ name, field, isRequired, text, give }: TextProps) {
  return (
    <select id={`edit-${name}`} value={text} aria-required={isRequired} onChange={(event) => give(event.currentTarget.value)}>
      {field.nullable && <option value="">null</option>}
      {[...new Set([...(text === '' ? [] : [text]), ...listOf(field)])].map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

function Text({ name, field, isRequired, text, give }: TextProps) {
  const shared = {
    id: `edit-${name}`,
    value: text,
    'aria-required': isRequired,
    placeholder: field.nullable ? 'null' : '',
    maxLength: field.maxLength,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => give(currentTarget.value),
  };
  // An <input> removes the line breaks of its text.
  if (isLong(text, field)) return <textarea {...shared} rows={Math.min(text.split('\n').length + 1, 12)} />;
  return <input {...shared} />;
}

// Whether a text is edited in several lines: it has some, or its maximum length calls for them.
function isLong(text: string, { type, maxLength = 0 }: Field): boolean {
  return text.includes('\n') || (type === 'Edm.String' && maxLength >= 256);
}

/** The input of a collection: its list of values, or a line for each item. */
function Items(props: InputProps) {
  const { name, field, value, isRequired, onChange } = props;
  const items = Array.isArray(value) ? value.map(String) : [];
  // The lines as they are typed: an empty one is no item yet.
  const [text, setText] = useState('');
  const give = (texts: readonly string[]): void => onChange(texts.map((one) => parse(one, field)));
  if (listOf(field).length > 0) return <Choice {...props} chosen={items} onChoose={give} />;
  return (
    <textarea
      id={`edit-${name}`}
      aria-required={isRequired}
      rows={items.length + 1}
      placeholder="one value a line"
      value={linesOf(text).join('\n') === items.join('\n') ? text : items.join('\n')}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value);
        give(linesOf(currentTarget.value));
      }}
    />
  );
}

interface ChoiceProps extends Pick<InputProps, 'name' | 'field' | 'isRequired'> {
  readonly chosen: readonly string[];
  readonly onChoose: (texts: readonly string[]) => void;
}

/** The list of values of which several may be chosen: a collection's, or flags. */
function Choice({ name, field, isRequired, chosen, onChoose }: ChoiceProps) {
  // What is taken away can be chosen again.
  const [first] = useState(chosen);
  const values = [...new Set([...first, ...chosen, ...listOf(field)])];
  return (
    <select
      id={`edit-${name}`}
      aria-required={isRequired}
      multiple
      size={Math.min(values.length, 6)}
      onChange={(event) => onChoose([...event.currentTarget.selectedOptions].map((option) => option.value))}
    >
      {values.map((one) => (
        <option key={one} selected={chosen.includes(one)}>
          {one}
        </option>
      ))}
    </select>
  );
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function listOf(field: Field): readonly string[] {
  return valuesOf(field).map((literal) => literal.replace(/^'|'$/g, '').replaceAll("''", "'"));
}

function parse(text: string, { type, enumeration }: Field): unknown {
  if (enumeration) return text;
  if (type === 'Edm.Boolean') return text === 'true';
  // What a double cannot hold is sent as it is written: the service refuses it rather than rounds it.
  const isNumber = /Int|Byte|Decimal|Double|Single/.test(type) && text !== '' && digitsOf(text) <= 15 && !Number.isNaN(Number(text));
  return isNumber ? Number(text) : text;
}
