import { readFileSync } from 'node:fs';
import { copyService } from '../../replicate/cli.js';
import { readOptions } from '../../replicate/options.js';
import { startFake, withAddresses } from './fake-service.js';

/** The model of the services that are copied. */
export const metadata = readFileSync('test/replicate/shop.xml', 'utf8');

/** The answer of a set with two records. */
export const things = '### GET Things?$count=true\n{"@odata.count":2,"value":[{"ID":"1"},{"ID":"2"}]}\n';

/** The lines of one run, or its error. */
export async function reported(args: readonly string[], signal: AbortSignal): Promise<string> {
  const lines: string[] = [];
  const report = { read: () => undefined, line: (text: string) => lines.push(text) };
  try {
    await copyService(readOptions(args), report, signal);
  } catch (error) {
    lines.push(`${(error as Error).name}: ${(error as Error).message}`);
  }
  return lines.join('\n');
}

/** Runs commands on a service that gives these answers, and returns what they report, request and copy. */
export async function runAll(given: string, commands: readonly string[], to: string, copied: () => readonly string[]): Promise<string> {
  const service = await startFake(given, metadata);
  const results: string[] = [];
  for (const command of commands) {
    const args = [
      service.root,
      '--to',
      to,
      ...(withAddresses(command, service.root).match(/"[^"]*"|\S+/g) ?? []).map((each) => each.replaceAll('"', '')),
    ];
    const said = await reported(args, new AbortController().signal);
    results.push(`$ ${command}`, ...(said === '' ? [] : [said]), ...service.requests.splice(0).map((each) => `  ${each}`), ...copied());
  }
  await service.stop();
  return `${results.join('\n')}\n`.replaceAll(service.root, 'ROOT/').replace(/ in [\d.]+ s, \d+ a second/g, '');
}
