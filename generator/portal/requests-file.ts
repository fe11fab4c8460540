import { printJson } from '../../runtime/json/json.js';
import { type Example, headersOf, root } from '../emit/example.js';
import { examplesOf } from '../emit/examples.js';
import { exampleUrl } from './code-samples.js';
import type { Site } from './site.js';

/** Every example for the REST clients of editors, which run the file from top to bottom. */
export function requestsFile({ sets, graph }: Site): string {
  const requests = sets.flatMap(({ entity, view }, index) => requestsOf(examplesOf(entity, graph), view.set, `created${index + 1}`));
  // Later requests may read the records that are deleted.
  const ordered = [...requests.filter(({ isLast }) => !isLast), ...requests.filter(({ isLast }) => isLast)];
  const head = `@root = ${root}\n@token = \n${requests.some(({ isNamed }) => isNamed) ? note : ''}`;
  return `${head}\n${ordered.map(({ text }) => text).join('\n')}`;
}

const note = `# Changes are sent to the records that this file creates: {{created1.response.headers.Location}} is the address in the response to
# the request with that name. An editor without response variables needs the address itself.
`;

/** A request as the file has it. */
interface Printed {
  readonly text: string;
  /** Whether later requests refer to its response. */
  readonly isNamed: boolean;
  /** Whether it deletes a record that the file has not created. */
  readonly isLast: boolean;
}

// The samples may be in another state than the examples assume, or be referenced.
function requestsOf(examples: readonly Example[], set: string, name: string): readonly Printed[] {
  const creates = examples.some(({ method }) => method === 'POST');
  const changes = examples.some(isChange);
  return examples.map((example) => {
    const isNamed = example.method === 'POST' && changes;
    const address = isChange(example) && creates ? `{{${name}.response.headers.Location}}` : exampleUrl(example, '{{root}}');
    return {
      text: printRequest(example, `${set}: ${example.title}${isNamed ? `\n# @name ${name}` : ''}`, address),
      isNamed,
      isLast: example.method === 'DELETE' && !creates,
    };
  });
}

function isChange({ method }: Example): boolean {
  return method === 'PATCH' || method === 'DELETE';
}

function printRequest(example: Example, title: string, address: string): string {
  const headers = headersOf(example).map(([name, value]) => `${name}: ${value}\n`);
  const body = example.body === undefined ? '' : `\n${printJson(example.body)}\n`;
  return `### ${title}\n${example.method} ${address}\nAuthorization: Bearer {{token}}\n${headers.join('')}${body}`;
}
