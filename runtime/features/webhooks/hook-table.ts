/** Name of the table of hooks. */
export const hookTableName = 'gable_hook';

/** The table of hooks. `message` and `batch_to` are those of the batch that is tried; `lease` is that of its process. */
export const hookTable = `CREATE TABLE IF NOT EXISTS ${hookTableName} (
  id text PRIMARY KEY,
  address text NOT NULL,
  format text NOT NULL,
  sets text,
  operations text,
  scopes text NOT NULL,
  member text,
  owner text,
  bearer text,
  seed text NOT NULL,
  secret_number integer NOT NULL DEFAULT 1,
  rotated_at timestamptz,
  state text NOT NULL DEFAULT 'active',
  reason text,
  confirmed boolean NOT NULL DEFAULT false,
  position bigint NOT NULL,
  message text,
  batch_to bigint,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  next_try timestamptz NOT NULL DEFAULT now(),
  lease text,
  leased_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz
)`;
