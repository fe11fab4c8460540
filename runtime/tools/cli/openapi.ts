import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootPath } from '../../app.js';
import { ConfigError, readConfig } from '../../config/config.js';
import type { EntityContainer } from '../../edm/entity-container.js';
import { suggestion } from '../../errors/suggest.js';
import { registerFeatures } from '../../features/index.js';
import { buildDocument, setsOf, type Version, versions } from '../../features/openapi/build-document.js';
import type { Json } from '../../features/openapi/json-document.js';
import { tokenPath } from '../../http/token-endpoint.js';
import { scopesOf } from '../../plan/caller.js';
import { modelHere } from './project.js';
import { parseScopes } from './token.js';
import { readOptions, text, texts } from './read-arguments.js';

/** The help text of `gable openapi`. */
export const help = `gable openapi: prints the OpenAPI document of the model, as /openapi.json serves it.

Usage: gable openapi [--version 3.1|3.0|2.0] [--sets SET,...] [--scope "SCOPE ..."] [--url URL]

  --version V          version of OpenAPI (default 3.1); Power Platform needs 2.0
  --sets SET,...       entity sets and singletons to describe (default: all)
  --scope "SCOPE ..."  describe what a token with these scopes may do (default: all scopes)
  --url URL            address of the service (default http://localhost:4004)

Exit codes: 0 printed, 1 internal error, 2 bad input

Examples:
  gable openapi > openapi.json
  gable openapi --version 2.0 --sets Property,Media --url https://api.example.com > connector.json
`;

/** Prints the document. */
export async function run(args: readonly string[]): Promise<number> {
  const values = readOptions(args, { version: text, sets: texts, scope: texts, url: text });
  const version = versionNamed(values.version ?? versions[0]);
  const url = addressOf(values.url ?? 'http://localhost:4004');
  const { container, generated } = await modelHere();
  await registerFeatures(container);
  const sets = chosenSets(values.sets, container);
  const scopes = values.scope.length > 0 ? new Set(parseScopes(values.scope, container)) : scopesOf(container);
  const metadata = JSON.parse(readFileSync(join(generated, 'metadata.json'), 'utf8')) as Json;
  const document = buildDocument(container, metadata, {
    version,
    ...(sets.length > 0 && { sets }),
    caller: { subject: '', scopes },
    basic: readConfig(process.env).basic,
    root: `${url}${rootPath}`,
    tokenUrl: `${url}${tokenPath}`,
  });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  return 0;
}

function versionNamed(given: string | undefined): Version {
  const known = versions.find((version) => version === given);
  if (known === undefined) throw new ConfigError(`--version must be ${versions.join(' or ')}, not '${given}'.`);
  return known;
}

function addressOf(given: string): string {
  if (!URL.canParse(given) || !/^https?:/.test(given)) throw new ConfigError(`--url must be the address of a service, not '${given}'.`);
  return given.replace(/\/+$/, '');
}

function chosenSets(given: readonly string[], container: EntityContainer): readonly string[] {
  const sets = given.flatMap((text) => text.split(',')).filter((name) => name !== '');
  const known = setsOf(container);
  const unknown = sets.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ConfigError(`The model has no entity set or singleton ${unknown}.${suggestion(unknown, known)}`);
  return sets;
}
