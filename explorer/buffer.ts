/** The part of Node's buffers that the planner uses: the bytes of a binary literal, in base64url, as PostgreSQL writes them. */
export const Buffer = {
  from: (text: string) => ({ toString: () => hexOf(atob(text.replaceAll('-', '+').replaceAll('_', '/'))) }),
};

function hexOf(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
