interface TabsProps<Name extends string> {
  readonly label: string;
  /** Name, text and shortcut of each tab. */
  readonly tabs: readonly (readonly [name: Name, text: string, shortcut?: string])[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

const steps: { readonly [key: string]: number | undefined } = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/** Tabs, of which Tab reaches the chosen one, and the arrow keys choose another. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  const onKey = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const at = tabs.findIndex(([name]) => name === chosen) + step;
    const next = Number.isFinite(at) ? (at + tabs.length) % tabs.length : at < 0 ? 0 : tabs.length - 1;
    const [name] = tabs[next] ?? [];
    if (name !== undefined) onChoose(name);
    (event.currentTarget as HTMLElement).querySelectorAll('button')[next]?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKey}>
      {tabs.map(([name, text, shortcut]) => (
        <button
          type="button"
          role="tab"
          key={name}
          tabIndex={name === chosen ? 0 : -1}
          aria-selected={name === chosen}
          aria-keyshortcuts={shortcut}
          title={shortcut}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
