import { useEffect, useRef } from 'preact/hooks';

interface PanelProps {
  readonly label: string;
  readonly title: string;
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  readonly children: preact.ComponentChildren;
}

/** A record next to the records. It takes the focus, and hands it back to them when it is closed. */
export function Panel({ label, title, isBusy = false, onClose, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), [title]);
  useEffect(
    () => () => {
      const last = document.activeElement;
      if (last === null || last === document.body || panel.current?.contains(last))
        document.querySelector<HTMLElement>('[role=grid]')?.focus();
    },
    [],
  );
  return (
    <aside class="record" ref={panel} tabIndex={-1} aria-label={label} aria-busy={isBusy}>
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
