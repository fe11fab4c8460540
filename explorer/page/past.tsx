import { fromAddress } from '../language/request-text.js';
import { forget, past, setText } from './state.js';

/** The queries of this browser. */
export function Past({ onChoose }: { readonly onChoose: () => void }) {
  if (past.value.length === 0) return <p class="empty">Queries that were run stand here, in this browser only.</p>;
  return (
    <div class="past">
      <ol>
        {past.value.map(({ address, at, rows }) => (
          <li key={address}>
            <button
              type="button"
              class="plain"
              onClick={() => {
                setText(fromAddress(address));
                onChoose();
              }}
            >
              <code>{fromAddress(address).replaceAll('\n', '  ')}</code>
            </button>
            <span class="detail">
              {rows} rows, <time dateTime={at}>{new Date(at).toLocaleString()}</time>
            </span>
          </li>
        ))}
      </ol>
      <button type="button" onClick={forget}>
        Forget all
      </button>
    </div>
  );
}
