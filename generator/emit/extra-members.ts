import { mediaStream } from '../../runtime/edm/index.js';
import type { StreamNode } from '../graph/model-graph.js';
import { docText } from './describe.js';
import { printPropertyName } from './print-literal.js';

/** The annotations of a media stream in answers; its bytes have their own address. */
export function streamMembers({
  name,
  description,
}: Pick<StreamNode, 'name' | 'description'>): { name: string; hasQuestionToken: true; type: string; docs: string[] }[] {
  const owner = name === mediaStream ? '' : name;
  const what = description ?? (owner === '' ? 'The media stream of the record' : `The media stream ${name}`);
  const member = (fact: string, doc: string): ReturnType<typeof streamMembers>[number] => ({
    name: printPropertyName(`${owner}@odata.${fact}`),
    hasQuestionToken: true,
    type: 'string',
    docs: docs(docText(what, doc)),
  });
  return [member('mediaContentType', 'Its media type; absent without a stream'), member('mediaEtag', 'Its ETag, for If-Match')];
}

/** The index signature of an open type. */
export function dynamicMembers({ open }: { readonly open: boolean }): {
  readonly indexSignatures?: { keyName: string; keyType: string; returnType: string }[];
} {
  return open ? { indexSignatures: [{ keyName: 'dynamicProperty', keyType: 'string', returnType: 'unknown' }] } : {};
}

/** A comment of several lines starts on a new line; none for an empty text. */
export function docs(text: string): string[] {
  return text === '' ? [] : [text.includes('\n') ? `\n${text}` : text];
}
