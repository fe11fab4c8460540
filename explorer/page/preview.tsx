import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { notify } from './notice.js';
import { messageOf, send, type Sending } from './service.js';
import { type Row, runAgain, token } from './state.js';

interface PreviewProps {
  readonly method: 'PATCH' | 'POST' | 'DELETE';
  readonly address: string;
  readonly etag?: string | undefined;
  readonly changes?: Row;
  readonly onDiscard: () => void;
  /** Called with the body of the answer. */
  readonly onSaved: (body: unknown) => Promise<void> | void;
}

/** The request that a change would be, and what the service says of it. */
export function Preview({ method, address, changes, etag, onDiscard, onSaved }: PreviewProps) {
  const [said, setSaid] = useState<string>();
  const [isSending, setSending] = useState(false);
  const preview = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => () => handFocusBack(preview.current), []);
  const save = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    const headers = etag === undefined ? {} : { 'If-Match': etag };
    const { fault, body } = await sent(address, { method, headers, ...(changes && { body: changes }) });
    setSaid(fault);
    if (fault === undefined) {
      notify(notices[method]);
      await Promise.all([onSaved(body), runAgain()]);
    }
    setSending(false);
  };
  const isDeletion = method === 'DELETE';
  return (
    <div class="preview" role="group" aria-label="Request" ref={preview}>
      {isDeletion && <p>The record will be deleted.</p>}
      <pre tabIndex={0}>{requestText({ method, address, etag, changes })}</pre>
      {said !== undefined && (
        <p class="error" role="alert">
          {said}
        </p>
      )}
      <div class="bar end">
        <button type="button" ref={isDeletion ? focusOn : null} onClick={onDiscard}>
          {isDeletion ? 'Cancel' : 'Discard'}
        </button>
        <button type="button" class="run" aria-disabled={isSending} onClick={() => void save()}>
          {isDeletion ? 'Delete' : 'Send'}
        </button>
      </div>
    </div>
  );
}

function requestText({
  method,
  address,
  etag,
  changes,
}: Pick<PreviewProps, 'method' | 'address' | 'etag'> & { readonly changes: Row | undefined }): string {
  return `${method} ${address}\n${etag === undefined ? '' : `If-Match: ${etag}\n`}${changes ? `\n${JSON.stringify(changes, undefined, 2)}` : ''}`;
}

const notices = { PATCH: 'Saved', POST: 'Created', DELETE: 'Deleted' };

// The record takes the focus of the buttons, which go with the request.
function handFocusBack(preview: HTMLElement | null): void {
  if (preview?.contains(document.activeElement)) preview.closest<HTMLElement>('.record')?.focus();
}

function focusOn(button: HTMLElement | null): void {
  button?.focus();
}

// The answer to a change, or why it was refused or could not be sent.
async function sent(address: string, sending: Omit<Sending, 'token'>): Promise<{ readonly fault?: string; readonly body?: unknown }> {
  try {
    const { status, body } = await send(address, { ...sending, token: token.value });
    return status >= 400 ? { fault: faultsOf(body) } : { body };
  } catch (error) {
    return { fault: `The service cannot be reached: ${(error as Error).message}` };
  }
}

function faultsOf(body: unknown): string {
  const { error } = body as { readonly error?: { readonly details?: readonly { readonly message: string }[] } };
  return [messageOf(body) ?? 'The change was refused.', ...(error?.details ?? []).map(({ message }) => message)].join('\n');
}
