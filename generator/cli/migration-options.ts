import { literal } from '../../runtime/schema/identifier.js';
import { UsageError } from '../config/config.js';
import type { MigrationOptions } from '../migrate/plan-migrations.js';

/** The options of `gable generate` for migrations. */
export const migrationOptions = {
  name: { type: 'string' },
  'allow-lossy': { type: 'boolean', default: false },
  renamed: { type: 'string', multiple: true, default: [] as string[] },
  'renamed-value': { type: 'string', multiple: true, default: [] as string[] },
  dropped: { type: 'string', multiple: true, default: [] as string[] },
  fill: { type: 'string', multiple: true, default: [] as string[] },
  squash: { type: 'boolean', default: false },
  release: { type: 'boolean', default: false },
} as const;

/** Their part of the help text. */
export const migrationOptionsHelp = `  --name NAME                 name of the new migration, after its number
  --renamed TYPE/OLD=NEW      this property was renamed (TYPE=NEW for a type); like Rules.RenamedFrom. TYPE may have its
                              namespace, here and below, and be a complex type: Shop.Address/City=Town
  --renamed-value TYPE/PROPERTY/OLD=NEW
                              this value of its AllowedValues was renamed
  --dropped TYPE/NAME         this property (or TYPE) was removed; drop its data. TYPE/NAME/VALUE for one value of a list
  --fill TYPE/NAME=VALUE      value of existing rows for a required property without DefaultValue
  --allow-lossy               accept all steps that lose data
  --squash                    merge all unreleased migrations into one
  --release                   mark the present migrations as released: no squash changes them`;

/** The parsed options for migrations. */
interface MigrationArguments {
  readonly name?: string | undefined;
  readonly 'allow-lossy': boolean;
  readonly renamed: readonly string[];
  readonly 'renamed-value': readonly string[];
  readonly dropped: readonly string[];
  readonly fill: readonly string[];
  readonly squash: boolean;
  readonly release: boolean;
}

/** The decisions of a run, without the existing migrations. */
export type MigrationChoice = Omit<MigrationOptions, 'texts'>;

/** Reads the options; a pair without an equals sign is rejected. */
export function chooseMigrations(values: MigrationArguments): MigrationChoice {
  const { name, renamed, dropped, fill, squash, release } = values;
  const renamedValues = pairs('--renamed-value', values['renamed-value']);
  return {
    name,
    squash,
    release,
    decisions: {
      allowLossy: values['allow-lossy'],
      renamed: new Map([...pairs('--renamed', renamed), ...renamedValues]),
      values: new Set(renamedValues.keys()),
      dropped: new Set(dropped),
      fills: new Map([...pairs('--fill', fill)].map(([path, value]) => [path, literal(value)])),
    },
  };
}

/** Whether an option requires a run even when nothing has changed. */
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
      if (equals <= 0) throw new UsageError(`${option} needs NAME=VALUE, but '${value}' has no =.`);
      return [value.slice(0, equals), value.slice(equals + 1)];
    }),
  );
}
