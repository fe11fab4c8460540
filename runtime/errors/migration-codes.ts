/** The explanation of a question or refusal of migrations. */
interface MigrationCode {
  readonly code: string;
  readonly command: 'gable generate' | 'gable migrate';
  readonly meaning: string;
  /** A message. */
  readonly example: string;
  readonly fix: string;
}

// oxfmt-ignore
/** Every question and refusal of migrations, a row each. A code is never reused. */
export const migrationCodes = {
  // Decisions that a new migration needs.
  rename: row('MIGR001', 'gable generate', 'Something was removed, and something new may be the same under another name.', "Order/Remark was removed, and Comment is new with the same type. If it was renamed, write Rules.RenamedFrom or --renamed Order/Remark=Comment; if not, --dropped Order/Remark.", 'Say which it is with the option that the message prints: --renamed, or --renamed-value for a value of a closed list, keeps the values in rows, --dropped drops them. A terminal is asked.'),
  lossy: row('MIGR002', 'gable generate', 'The change would lose or hide values that rows have.', "Order/Remark was removed, and its values would be lost. Restore it; or write --dropped Order/Remark or --allow-lossy.", 'Restore what was changed; or accept the loss with --dropped for the one name, or with --allow-lossy for all.'),
  fill: row('MIGR003', 'gable generate', 'A property is required, but existing rows have no value; or the given value does not fit the property.', 'Order/Colour is required, but existing rows have no value. Add a DefaultValue, or write --fill Order/Colour=VALUE.', 'Add a DefaultValue to the property, or give the value of existing rows with --fill TYPE/NAME=VALUE. Of a navigation property without a referential constraint, that is the #id of its target.'),
  unknown: row('MIGR004', 'gable generate', 'A decision names something that neither the model nor the migrations have.', '--renamed Order/Remrk=Comment: neither the model nor the migrations have Remrk. Did you mean Remark?', 'Correct the name; names are TYPE, TYPE/PROPERTY or TYPE/PROPERTY/MEMBER, as in the model; TYPE may have its namespace.'),
  refused: row('MIGR005', 'gable generate', 'A decision or declared rename has no effect, or contradicts the model or another one; or rows prevent the change, whatever is decided.', '--renamed Order/Remark=Comment: the model still has Order/Remark.', 'Remove the decision, or correct the model so that it says the same.'),
  folder: row('MIGR006', 'gable generate', 'The files in generated/migrations do not belong together.', 'migrations/0002-order.sql is missing, but databases have it. Restore it, or start over without generated/migrations.', 'Restore the folder from version control. After a merge, take one side of it entirely, and generate again.'),
  // Application to a database.
  noMigrations: row('MIGR007', 'gable migrate', 'The folder has no migrations.', 'generated/migrations does not exist; gable generate writes migrations to generated/migrations.', 'Run gable generate, or name the folder with --migrations.'),
  changed: row('MIGR008', 'gable migrate', 'A migration has changed since it was applied to the database.', '0002-order.sql has changed since it was applied to this database.', 'Restore the file; gable generate writes the change into a new one. After a squash during development, start with an empty database.'),
  failed: row('MIGR009', 'gable migrate', 'A statement of a migration failed, mostly because of rows that do not fit.', '0002-order.sql:4: column "Colour" of relation "Order" contains null values. Step 1 failed on "Order"; the steps before it are done. Correct the cause, and migrate again: it resumes at this step.', 'Correct the rows or the cause that the message names, and migrate again.'),
  abandoned: row('MIGR010', 'gable migrate', 'The migration cannot be abandoned.', '0003-order.sql is not started in the database, or is in this folder; 0002-order.sql can be abandoned.', 'Restore the model and generated/ from before the migration, and run gable migrate abandon with the name in the message.'),
  pooler: row('MIGR011', 'gable migrate', 'The database is reached through a connection pooler in transaction mode, which cannot hold the lock of a migration.', 'The database is reached through a connection pooler in transaction mode; set GABLE_MIGRATE_URL to the address of the PostgreSQL server itself.', 'Set GABLE_MIGRATE_URL to the address of the server itself.'),
} as const satisfies { readonly [name: string]: MigrationCode };

/** A message with its code in front. */
export function withCode(name: keyof typeof migrationCodes, message: string): string {
  return `${migrationCodes[name].code} ${message}`;
}

function row<Code extends string>(
  code: Code,
  command: MigrationCode['command'],
  meaning: string,
  example: string,
  fix: string,
): MigrationCode & { readonly code: Code } {
  return { code, command, meaning, example, fix };
}
