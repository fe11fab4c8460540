/** Why no sample data was written: the database is not empty, or the model and the sample data do not fit. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly exitCode = 2;
}
