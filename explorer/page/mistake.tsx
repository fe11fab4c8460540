import { focusEditor } from './editor.js';
import { fixOf } from './fix.js';
import { marks, setText, text } from './state.js';

/** The first mark of the text in words, with its correction: keys, fingers and screen readers reach no tooltip. */
export function Mistake() {
  const [mark] = marks.value;
  if (mark === undefined) return null;
  const fix = fixOf(mark);
  const correct = (): void => {
    setText(text.value.slice(0, mark.from) + fix + text.value.slice(mark.to));
    focusEditor();
  };
  return (
    <p class={mark.severity === 'error' ? 'mistake error' : 'mistake note'}>
      {[mark.message, ...(mark.details ?? [])].join('\n')}{' '}
      {fix !== undefined && (
        <button type="button" onClick={correct}>
          Write {fix}
        </button>
      )}
    </p>
  );
}
