import { useState } from 'preact/hooks';

interface CommittedInputProps {
  readonly value: string;
  readonly onCommit: (next: string) => void;
  readonly label?: string;
  readonly list?: string;
  readonly isNumber?: boolean;
}

/** An input that reports its text when it is left, and keeps what is being typed when an answer comes meanwhile. */
export function CommittedInput({ value, onCommit, label, list, isNumber = false }: CommittedInputProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type={isNumber ? 'number' : 'text'}
      min={isNumber ? 0 : undefined}
      aria-label={label}
      list={list}
      spellcheck={false}
      value={typed ?? value}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => {
        setTyped(undefined);
        onCommit(event.currentTarget.value);
      }}
    />
  );
}
