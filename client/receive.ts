/** A response, alone or within a batch. */
export interface Received {
  readonly url: string;
  readonly headers: Pick<Headers, 'get'>;
  /** JSON as a value, anything else as text; undefined without a body. */
  readonly body: unknown;
}

/** Reads a whole response. */
export async function receive(response: Response, asked: string): Promise<Received> {
  const { headers, url } = response;
  const text = await response.text();
  const type = headers.get('content-type') as string;
  // Where the response, or a part of a batch, says that exact numbers are text, a long number is an Edm.Double.
  const isExact = !longDigits.test(text) || /compatible=true/i.test(type + text);
  const body: unknown = text && /json/.test(type) ? JSON.parse(text, isExact ? undefined : refuseLong) : text || undefined;
  return { headers, url: url || asked, body };
}

const longDigits = /[:[,\s]-?\d{16,}(?![\deE])/;

function refuseLong(name: string, value: unknown): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError(`${name} is beyond 2^53: use decimals: 'string'`);
  return value;
}

/** A control information of a JSON object, with or without the prefix that version 4.01 allows to omit. */
export function control(value: unknown, name: string): unknown {
  const object = value as Readonly<Record<string, unknown>> | null | undefined;
  return object?.[`@odata.${name}`] ?? object?.[`@${name}`];
}

/** A link in a body, which may be relative to the body's context (JSON Format 4.5.1). */
export function linkIn({ body, url }: Received, name: string): string | undefined {
  const link = control(body, name) as string | undefined;
  return link && new URL(link, new URL((control(body, 'context') as string | undefined) ?? '', url)).href;
}
