/** The format of a payload, as negotiated. */
export interface PayloadFormat {
  readonly metadata: 'none' | 'minimal' | 'full';
  /** Int64 and Decimal as strings, since JavaScript numbers are not exact (JSON format 3.2). */
  readonly ieee754Compatible: boolean;
  /** Requested by the client, and echoed. */
  readonly streaming: boolean;
  /** Requested by the client, and echoed; JSON is always UTF-8. */
  readonly charset?: true;
  readonly version: '4.0' | '4.01';
}

/** The Content-Type of a JSON payload. */
export function contentType(format: PayloadFormat): string {
  const compatible = format.ieee754Compatible ? ';IEEE754Compatible=true' : '';
  const streaming = format.streaming ? ';odata.streaming=true' : '';
  const charset = format.charset ? ';charset=utf-8' : '';
  return `application/json;odata.metadata=${format.metadata}${streaming}${compatible}${charset}`;
}
