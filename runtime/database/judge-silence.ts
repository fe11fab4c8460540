/** Milliseconds beyond a limit, for the network. */
const grace = 1_000;

/**
 * Judges a silence beyond a limit. The grace is measured after the event loop has run: after a pause of the process what
 * has arrived may be unread.
 */
export function judgeSilence(judge: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(judge), grace).unref();
}
