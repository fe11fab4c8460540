import type { TestService } from '../support/service.js';

/** How many clients there are, and how often each tries. */
interface Load {
  readonly clients: number;
  readonly attempts: number;
}

/** The number of answers by status, and the final value. */
interface Result {
  readonly statuses: ReadonlyMap<number, number>;
  readonly final: number;
}

const path = "/Property('4')";

/** Clients read a number and its ETag, and write the number after it with If-Match, all on one listing. */
export async function increment(service: TestService, { clients, attempts }: Load): Promise<Result> {
  const headers = { Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
  const statuses = new Map<number, number>();
  await change(service, headers, 0);
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const { value, etag } = await read(service, headers);
        const { status } = await change(service, { ...headers, 'If-Match': etag, Prefer: 'return=minimal' }, value + 1);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  return { statuses, final: (await read(service, headers)).value };
}

async function read(
  { root }: TestService,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly value: number; readonly etag: string }> {
  const response = await fetch(`${root}${path}?$select=StreetNumberNumeric`, { headers });
  const { StreetNumberNumeric: value } = (await response.json()) as { StreetNumberNumeric: number };
  return { value, etag: response.headers.get('etag') ?? '' };
}

async function change({ root }: TestService, headers: Readonly<Record<string, string>>, value: number): Promise<Response> {
  const response = await fetch(`${root}${path}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ ChangedByMemberKey: 'M1', StreetNumberNumeric: value }),
  });
  await response.arrayBuffer();
  return response;
}

/** Writers without If-Match set several fields to one value each; gives every mixture that a reader saw. */
export async function mixtures(service: TestService, { clients, attempts }: Load): Promise<readonly string[]> {
  const headers = { Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
  const seen: string[] = [];
  const write = async (client: number): Promise<void> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const text = `${client}-${attempt}`;
      const body = JSON.stringify({ ChangedByMemberKey: 'M1', CrossStreet: text, Directions: text, SubdivisionName: text });
      await (
        await fetch(`${service.root}${path}`, { method: 'PATCH', headers: { ...headers, Prefer: 'return=minimal' }, body })
      ).arrayBuffer();
      const record = (await (
        await fetch(`${service.root}${path}?$select=CrossStreet,Directions,SubdivisionName`, { headers })
      ).json()) as Readonly<Record<string, string>>;
      const { CrossStreet, Directions, SubdivisionName } = record;
      if (CrossStreet !== Directions || Directions !== SubdivisionName) seen.push(`${CrossStreet} ${Directions} ${SubdivisionName}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => write(client)));
  return seen;
}
