import type { PayloadFormat } from '../response/payload-format.js';
import type { RecordFormat } from '../response/record-writer.js';
import { expandLinks } from './links.js';
import type { Preferences } from './prefer.js';
import type { Service } from './service.js';

/** How a service writes records: as negotiated and preferred, with links that lead back to it. */
export function recordFormat(format: PayloadFormat, service: Service, { omitValues }: Preferences): RecordFormat {
  return { ...format, root: service.root, linkOf: expandLinks(service), ...(omitValues && { omit: omitValues.values }) };
}
