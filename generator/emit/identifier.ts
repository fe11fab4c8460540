/** An SQL identifier, which may hold anything once its quotes are doubled. */
export function quote(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}
