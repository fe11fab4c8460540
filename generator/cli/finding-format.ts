import { UsageError } from '../config/config.js';

/** The formats of other tools, by the value of `--format`. */
const formats = ['sarif', 'github'] as const;

/** A format of findings. */
export type FindingFormat = (typeof formats)[number];

/** Help on `--format`. */
export const formatHelp = `  --format FORMAT  print for another tool: sarif, a log for code scanning; github, annotations of GitHub Actions`;

/** The format with the name; undefined for none. */
export function formatNamed(name: string | undefined, json: boolean): FindingFormat | undefined {
  if (name === undefined) return undefined;
  if (json) throw new UsageError('--format and --json exclude each other.');
  const known = formats.find((format) => format === name);
  if (known === undefined) throw new UsageError(`--format must be ${formats.join(' or ')}, not '${name}'.`);
  return known;
}
