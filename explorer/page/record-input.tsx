import { useState } from 'preact/hooks';
import { complexTypeNamed } from '../../runtime/edm/index.js';
import type { Field } from '../../runtime/edm/field.js';
import { valuesOf } from '../language/reach.js';
import { isRounded, parseJson } from './service.js';
import { tables } from './state.js';

interface InputProps {
  readonly name: string;
  readonly field: Field;
  /** The value that the service has. */
  readonly given: unknown;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (next: unknown) => void;
}

/** The input of a property: its list of values, a text, or JSON. */
export function Input(props: InputProps) {
  const { field, given, value, onChange } = props;
  if (isJson(field, given)) return <Json {...props} />;
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
    maxLength: field.type === 'Edm.String' ? field.maxLength : undefined,
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
  // Values that are taken away can be chosen again.
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
  if (type === 'Edm.Boolean') return text === 'true';
  const isNumber = !enumeration && /Int|Byte|Decimal|Double|Single/.test(type) && text.trim() !== '' && !Number.isNaN(Number(text));
  return isNumber && !isRounded(text) ? Number(text) : text;
}

// Whether a value has no other text: complex values, shapes, and collections with an item that is not one line.
function isJson({ complex, type }: Field, value: unknown): boolean {
  return complex !== undefined || type.startsWith('Edm.Geo') || (Array.isArray(value) && !value.every(isLine));
}

function isLine(item: unknown): boolean {
  return item !== null && /^.+$/.test(String(item));
}

/** The input of a value as JSON. Other texts are no change. */
function Json({ name, field, given, value, isRequired, onChange }: InputProps) {
  const [text, setText] = useState<string>();
  const { fault, typed } = readJson(text, field);
  const type = (next: string): void => {
    setText(next);
    const read = readJson(next, field);
    onChange(read.fault === undefined ? read.typed : given);
  };
  // The typed text is shown as it is, until its value is taken back.
  const isTyped = fault !== undefined || (text !== undefined && JSON.stringify(typed) === JSON.stringify(value));
  const shown = isTyped ? (text ?? '') : printed(value);
  return (
    <>
      <textarea
        id={`edit-${name}`}
        class="code"
        aria-required={isRequired}
        aria-invalid={fault !== undefined}
        aria-describedby={fault && `fault-${name}`}
        rows={Math.min(shown.split('\n').length + 1, 12)}
        placeholder={exampleOf(field)}
        value={shown}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {fault !== undefined && (
        <p class="error" id={`fault-${name}`}>
          Not sent, since it is not JSON: {fault}
        </p>
      )}
    </>
  );
}

// The value of a typed text, or its fault; neither before something is typed.
function readJson(text: string | undefined, { nullable }: Field): { readonly typed?: unknown; readonly fault?: string } {
  if (text === undefined) return {};
  if (text.trim() === '') return nullable ? { typed: null } : { fault: 'it is empty' };
  try {
    return { typed: parseJson(text) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

function printed(value: unknown): string {
  if (value === null || value === undefined) return '';
  const line = JSON.stringify(value);
  return line.length <= 40 ? line : JSON.stringify(value, undefined, 2);
}

/** The form of a value that has none yet. */
function exampleOf({ complex, type, collection }: Field): string {
  const container = tables.value?.container;
  const owner = complex !== undefined && container ? complexTypeNamed(container, complex) : undefined;
  const names = Object.keys(owner?.fields ?? {}).filter((name) => !name.includes('/'));
  const one = owner
    ? `{${names.map((name) => `"${name}": null`).join(', ')}}`
    : `{"type": "${type.replace(/^Edm\.Geo[a-z]+/, '')}", "coordinates": [0, 0]}`;
  return collection ? `[${one}]` : one;
}
