import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component that is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return (props: Props) => {
    const [, setLoaded] = useState(known !== undefined);
    useEffect(() => {
      if (known) return;
      void load().then((found) => {
        known = found;
        setLoaded(true);
      });
    }, []);
    const Found = known;
    return Found ? <Found {...props} /> : <p class="empty">Loading…</p>;
  };
}
