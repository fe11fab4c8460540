import test from 'ava';
import { startService } from './service.js';

const largestBody = 256 * 1024;
const longestLine = 16 * 1024;

test('bodies and request lines end at their limits', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const headers = { 'Authorization': `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
  const post = async (size: number): Promise<string> => codeOf(await fetch(`${service.root}/Property`, { method: 'POST', headers, body: bodyOf(size) }));
  t.is(await post(largestBody), '1111');
  t.is(await post(largestBody + 1), '1413');
  const get = async (length: number): Promise<string> => codeOf(await fetch(urlOf(service.root, length), { headers }));
  t.is(await get(longestLine), '1040');
  t.is(await get(longestLine + 1), '1414');
});

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

function bodyOf(size: number): string {
  const frame = '{"City":""}';
  return frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
}

// The line is `GET <path> HTTP/1.1`; the filter at its end is one unfinished string.
function urlOf(root: string, length: number): string {
  const path = `${new URL(root).pathname}/Property?$filter=%27`;
  return new URL(root).origin + path + 'x'.repeat(length - `GET ${path} HTTP/1.1`.length);
}
