import { useId } from 'preact/hooks';
import { nearestOf } from '../../runtime/errors/suggest.js';
import type { Member } from '../language/reach.js';

/** A part of the form, with its title. */
export function Part({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** The values with another one in a place, or without the one there. */
export function replaced<Value>(values: readonly Value[], index: number, next: Value | undefined): readonly Value[] {
  return values.flatMap((value, at) => (at !== index ? [value] : next === undefined ? [] : [next]));
}

interface ChipsProps {
  readonly title: string;
  readonly adding: string;
  readonly names: readonly string[];
  readonly others: readonly Member[];
  readonly onChange: (names: readonly string[]) => void;
}

/** Names that are chosen, each with a button that takes it out. */
export function Chips({ title, adding, names, others, onChange }: ChipsProps) {
  return (
    <Part title={title}>
      <div class="chips">
        {names.map((name, index) => (
          <span class="chip" key={name}>
            {name}
            <Remove what={name} onRemove={() => onChange(replaced(names, index, undefined))} />
          </span>
        ))}
        <Add
          label={adding}
          names={others.map(({ name }) => name).filter((name) => !names.includes(name))}
          onAdd={(name) => onChange([...names, name])}
        />
      </div>
    </Part>
  );
}

interface AddProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly onAdd: (name: string, field: HTMLElement) => void;
}

/** A field that proposes names. The one that is chosen, or the first that resembles what is typed before Enter, is added; the arrow keys add nothing on their way. */
export function Add({ label, names, onAdd }: AddProps) {
  const list = useId();
  const add = (field: HTMLInputElement, name: string | undefined): void => {
    field.setCustomValidity(name === undefined && field.value !== '' ? `No name resembles ${field.value}.` : '');
    if (name === undefined) return void field.reportValidity();
    field.value = '';
    onAdd(name, field);
  };
  const addWhole = (field: HTMLInputElement): void => {
    if (names.includes(field.value)) add(field, field.value);
  };
  const onInput = ({ currentTarget, inputType = chosenType }: preact.TargetedInputEvent<HTMLInputElement>): void => {
    currentTarget.setCustomValidity('');
    if (inputType === chosenType) addWhole(currentTarget);
  };
  const onKey = ({ currentTarget, key, ctrlKey, metaKey }: preact.TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (key === 'Enter' && !ctrlKey && !metaKey) add(currentTarget, resembling(currentTarget.value, names));
  };
  return (
    <>
      <input
        class="add"
        aria-label={label}
        placeholder={`${label}…`}
        list={list}
        autocomplete="off"
        spellcheck={false}
        onInput={onInput}
        onKeyDown={onKey}
        onChange={(event) => addWhole(event.currentTarget)}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** The kind of input when a proposal is chosen; Safari names none. */
const chosenType = 'insertReplacementText';

function resembling(typed: string, names: readonly string[]): string | undefined {
  const sought = typed.trim().toLowerCase();
  if (sought === '') return undefined;
  const found = (is: (name: string) => boolean): string | undefined => names.find((name) => is(name.toLowerCase()));
  return (
    found((name) => name === sought) ??
    found((name) => name.startsWith(sought)) ??
    found((name) => name.includes(sought)) ??
    nearestOf(sought, names)
  );
}

/** A button that takes something out of its part; the next one, or the field that adds, has the focus then. */
export function Remove({ what, onRemove }: { readonly what: string; readonly onRemove: () => void }) {
  const remove = (button: HTMLElement): void => {
    const part = button.closest('fieldset');
    const places = (): readonly HTMLElement[] => [...(part?.querySelectorAll<HTMLElement>('.remove, .add') ?? [])];
    const at = places().indexOf(button);
    onRemove();
    setTimeout(() => places()[at]?.focus());
  };
  return (
    <button type="button" class="plain remove" aria-label={`Remove ${what}`} onClick={(event) => remove(event.currentTarget)}>
      ×
    </button>
  );
}
