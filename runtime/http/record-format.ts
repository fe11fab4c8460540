import type { PayloadFormat } from '../response/payload-format.js';
import type { RecordFormat } from '../response/record-writer.js';
import type { Exchange } from './exchange.js';
import { expandLinks } from './links.js';

/** How this exchange writes records: as negotiated, with links that lead back to this service. */
export function recordFormat(format: PayloadFormat, exchange: Exchange): RecordFormat {
  const omit = exchange.preferences.omitValues?.values;
  return { ...format, root: exchange.service.root, linkOf: expandLinks(exchange), ...(omit && { omit }) };
}
