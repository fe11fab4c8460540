import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { readModel } from './model.js';
import { askService, type Arguments, type Service, type Tool, tools } from './tools.js';

/** The service that agents may use. */
export interface McpOptions {
  /** The service root, such as `http://localhost:4004/odata`. */
  readonly root: string;
  /** Bearer token of the caller, whose permissions and limits hold. */
  readonly token?: string | undefined;
  /** Whether tools that change data exist. */
  readonly write: boolean;
  readonly version: string;
}

/** An MCP server over the model of a service. Reads `$metadata` first, so that a wrong address or token fails immediately. */
export async function mcpServer({ root, token, write, version }: McpOptions): Promise<McpServer> {
  const ask = askService(root, token);
  const model = readModel(JSON.parse(await ask('GET', '$metadata')) as Parameters<typeof readModel>[0]);
  const server = new McpServer({ name: 'gable', version });
  for (const [name, tool] of Object.entries(tools)) if (write || tool.writes !== true) register(server, name, tool, { ask, model });
  return server;
}

function register(server: McpServer, name: string, tool: Tool, service: Service): void {
  const { description, properties, required, writes } = tool;
  const inputSchema = fromJsonSchema<Arguments>({
    type: 'object',
    properties: { ...properties },
    required: [...required],
    additionalProperties: false,
  });
  server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint: writes !== true } }, async (given) => {
    try {
      return { content: [{ type: 'text', text: await tool.run(given, service) }] };
    } catch (error) {
      // The agent reads the message and asks again.
      return { content: [{ type: 'text', text: (error as Error).message }], isError: true };
    }
  });
}
