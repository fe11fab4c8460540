/** A statement that fails with a SQLSTATE. */
export function failWith(state: string): string {
  return `DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${state}'; END $$`;
}
