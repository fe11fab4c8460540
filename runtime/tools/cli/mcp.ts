import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { ConfigError } from '../../config/config.js';
import { packageRoot } from '../../config/served-model.js';
import { mcpServer } from '../mcp/mcp.js';
import { untilSignal } from './until-signal.js';
import { flag, readArguments } from './read-arguments.js';

/** The help text of `gable mcp`. */
export const help = `gable mcp: offers a running service to agents, by the Model Context Protocol on standard input and output.

Usage: gable mcp SERVICE [--write]

  SERVICE    address of the service root, such as http://localhost:4004/odata
  --write    offer tools that create, update and delete records too

The bearer token is read from GABLE_TOKEN; its permissions and limits hold for the agent.
Tools: list_sets, describe_type, query, get; with --write also create, update, delete.

Exit codes: 0 normal exit, 1 internal error, 2 bad input, or the service refuses the token

Examples:
  GABLE_TOKEN=$(gable token --scope listing.read) gable mcp http://localhost:4004/odata
  npx gable mcp https://listings.example.com/odata --write
`;

/** Serves until standard input ends or a signal arrives. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { write: flag });
  const [root, ...others] = positionals;
  if (root === undefined || others.length > 0 || !/^https?:\/\//.test(root))
    throw new ConfigError('Name the address of one service: gable mcp http://HOST/odata');
  const token = process.env['GABLE_TOKEN'];
  const server = await mcpServer({ root, token, write: values.write, version: version() }).catch((error: unknown) => {
    throw new ConfigError(`${root} cannot be used: ${(error as Error).message}`);
  });
  await server.connect(new StdioServerTransport());
  await Promise.race([untilSignal(), new Promise((ended) => process.stdin.once('end', ended))]);
  await server.close();
  return 0;
}

function version(): string {
  return (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string }).version;
}
