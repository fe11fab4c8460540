import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { requestToken } from './service.js';
import { refusal, signIn, tables, token } from './state.js';
import { Tabs } from './tabs.js';

/** Whether the caller signs in again. */
export const isSigningIn = signal(false);

const ways = [
  ['token', 'Token'],
  ['client', 'Client'],
] as const;

type Way = (typeof ways)[number][0];

/** Asks for a token, or for a client's credentials that are exchanged for one. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [way, setWay] = useState<Way>('token');
  const [failed, setFailed] = useState<string>();
  const isWaiting = tables.value === undefined && refusal.value === undefined;
  useEffect(() => {
    if (!isWaiting && !dialog.current?.open) dialog.current?.showModal();
  }, [isWaiting]);
  // A dialog that is closed gives the focus back; one that is only removed does not.
  useLayoutEffect(() => () => dialog.current?.close(), []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fault = await faultOf(new FormData(event.currentTarget as HTMLFormElement), way);
    setFailed(fault);
    if (fault === undefined) onDone();
  };
  if (isWaiting) return <p class="centre">Loading…</p>;
  return (
    <dialog ref={dialog} aria-label="Sign in" onCancel={(event) => (tables.value ? onDone() : event.preventDefault())}>
      <form onSubmit={(event) => void submit(event)}>
        <h2>Sign in</h2>
        <div class="bar">
          <Tabs label="How to sign in" tabs={ways} chosen={way} onChoose={setWay} />
        </div>
        {way === 'token' ? <TokenField /> : <ClientFields />}
        <Said text={failed} />
        <p class="note">It is kept in memory until this page is closed or reloaded.</p>
        <Buttons onCancel={onDone} />
      </form>
    </dialog>
  );
}

async function faultOf(data: FormData, way: Way): Promise<string | undefined> {
  try {
    await signIn(way === 'token' ? textOf(data, 'token') : await requestToken(textOf(data, 'id'), textOf(data, 'secret')));
    return refusal.value;
  } catch (error) {
    return (error as Error).message;
  }
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

// A token has no line breaks, so Enter signs in.
function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
}

function TokenField() {
  return (
    <label>
      Bearer token
      <textarea name="token" rows={4} required autofocus spellcheck={false} onKeyDown={onKey} />
    </label>
  );
}

function ClientFields() {
  return (
    <>
      <label>
        Client
        <input name="id" required autocomplete="username" />
      </label>
      <label>
        Secret
        <input name="secret" type="password" required autocomplete="current-password" />
      </label>
    </>
  );
}

// That a token is missing is no fault before one has been given.
function Said({ text }: { readonly text: string | undefined }) {
  if (text === undefined && !/link/.test(refusal.value ?? '')) return null;
  return (
    <p class="error" role="alert">
      {text ?? refusal.value}
    </p>
  );
}

function Buttons({ onCancel }: { readonly onCancel: () => void }) {
  return (
    <div class="bar end">
      {token.value !== undefined && (
        <button type="button" onClick={() => location.reload()}>
          Sign out
        </button>
      )}
      {tables.value && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
      <button class="run">Sign in</button>
    </div>
  );
}
