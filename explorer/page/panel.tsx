import { useEffect, useRef } from 'preact/hooks';

interface PanelProps {
  readonly label: string;
  readonly title: string;
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  readonly children: preact.ComponentChildren;
}

/** Gives the records the focus where nothing has it. */
export function focusRecords(): void {
  const last = document.activeElement;
  if (last === null || last === document.body) document.querySelector<HTMLElement>('[role=grid]')?.focus();
}

// Enter in a field leads to the request that the fields make, past all other fields.
function onKey({ key, target, currentTarget, ctrlKey, metaKey }: preact.TargetedKeyboardEvent<HTMLElement>): void {
  if (key === 'Enter' && !ctrlKey && !metaKey && target instanceof HTMLInputElement)
    currentTarget.querySelector<HTMLElement>('.preview .run')?.focus();
}

/** A record next to the records. It takes the focus, and hands it back to them when it is closed. */
export function Panel({ label, title, isBusy = false, onClose, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), [title]);
  useEffect(() => focusRecords, []);
  return (
    <aside class="record" ref={panel} tabIndex={-1} aria-label={label} aria-busy={isBusy} onKeyDown={onKey}>
      <div class="bar">
        <strong>{title}</strong>
        <span class="grow" />
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {children}
    </aside>
  );
}
