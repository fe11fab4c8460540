/** The error when no sample data can be written: the database is not empty, or the model does not fit. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly exitCode = 2;
}
