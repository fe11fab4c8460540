import { ConfigError, configFile, readSettings, type ReadSettings } from '../../config/config.js';
import { settings, type Setting } from '../../config/settings.js';
import { flag, readOptions } from './read-arguments.js';

/** The help text of `gable config`. */
export const help = `gable config: prints every setting with its value and source; secrets are masked.

Usage: gable config [--json]

The environment overrides the file (${configFile}, or the file in GABLE_CONFIG), and the file overrides the default.
If values are invalid, it lists every fault and exits with 2.

Exit codes: 0 all values are valid, 1 internal error, 2 a value is invalid

Examples:
  gable config
  PORT=8080 gable config --json
`;

/** Prints the settings as the service would read them. */
export async function run(args: readonly string[]): Promise<number> {
  const { json } = readOptions(args, { json: flag });
  const read = readSettings(process.env);
  if (read.faults.length > 0) throw new ConfigError(read.faults.join('\n'));
  const rows = rowsOf(read);
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
  return 0;
}

interface SettingRow {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  readonly variable: string;
}

function rowsOf({ values, sources }: ReadSettings): readonly SettingRow[] {
  return Object.entries(settings).map(([name, row]) => {
    const setting: Setting<never> = row as Setting<never>; // The value belongs to this row.
    return {
      name,
      value: setting.show(values[name as keyof typeof settings] as never),
      source: sources[name] ?? 'default',
      variable: setting.variable,
    };
  });
}

function table(rows: readonly SettingRow[]): string {
  const width = (key: keyof SettingRow): number => Math.max(...rows.map((row) => row[key].length));
  const [name, variable, source] = [width('name'), width('variable'), width('source')];
  return rows
    .map((row) => `${row.name.padEnd(name)}  ${row.variable.padEnd(variable)}  ${row.source.padEnd(source)}  ${row.value}`.trimEnd() + '\n')
    .join('');
}
