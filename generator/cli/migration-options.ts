import { literal } from '../../runtime/schema/identifier.js';
import { UsageError } from '../config/config.js';
import type { MigrationOptions } from '../migrate/plan-migrations.js';

/** The options of `gable generate` that are about migrations. */
export const migrationOptions = {
  name: { type: 'string' },
  'allow-lossy': { type: 'boolean', default: false },
  renamed: { type: 'string', multiple: true, default: [] as string[] },
  dropped: { type: 'string', multiple: true, default: [] as string[] },
  fill: { type: 'string', multiple: true, default: [] as string[] },
  squash: { type: 'boolean', default: false },
  release: { type: 'boolean', default: false },
} as const;

/** What the help text says of them. */
export const migrationOptionsHelp = `  --name NAME                 what the new migration is called after its number
  --renamed TYPE/OLD=NEW      this property was renamed (TYPE=NEW for a type); Rules.RenamedFrom says the same
  --dropped TYPE/NAME         this property (or TYPE) is gone, with what is stored in it
  --fill TYPE/NAME=VALUE      what rows have in a property that is never null and has no DefaultValue
  --allow-lossy               take every step that loses something
  --squash                    one migration in place of those that were not released
  --release                   the migrations that there are now are given to others: no squash touches them`;

/** What the command line says of migrations. */
interface MigrationArguments {
  readonly name?: string | undefined;
  readonly 'allow-lossy': boolean;
  readonly renamed: readonly string[];
  readonly dropped: readonly string[];
  readonly fill: readonly string[];
  readonly squash: boolean;
  readonly release: boolean;
}

/** The decisions of a run, without the texts that it finds. */
export type MigrationChoice = Omit<MigrationOptions, 'texts'>;

/** Reads them; a pair without its equals sign is refused. */
export function chooseMigrations(values: MigrationArguments): MigrationChoice {
  const { name, renamed, dropped, fill, squash, release } = values;
  return {
    name,
    squash,
    release,
    decisions: {
      allowLossy: values['allow-lossy'],
      renamed: pairs('--renamed', renamed),
      dropped: new Set(dropped),
      fills: new Map([...pairs('--fill', fill)].map(([path, value]) => [path, literal(value)])),
    },
  };
}

/** Whether the run was asked for anything about migrations, so that it must be made even when all is as it was. */
export function isAsked({ name, squash, release, decisions }: MigrationChoice): boolean {
  return (
    name !== undefined ||
    squash === true ||
    release === true ||
    decisions.allowLossy ||
    decisions.renamed.size + decisions.dropped.size + decisions.fills.size > 0
  );
}

function pairs(option: string, values: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    values.map((value) => {
      const equals = value.indexOf('=');
      if (equals <= 0) throw new UsageError(`${option} needs NAME=VALUE, and '${value}' has no =.`);
      return [value.slice(0, equals), value.slice(equals + 1)];
    }),
  );
}
