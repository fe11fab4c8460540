import type { PrintHandler } from '../../generated/operation-types.js';

export const print: PrintHandler = ({ label }) =>
  label === null ? null : { contentType: 'image/svg+xml', bytes: Buffer.from(`<svg><text>${label.Text ?? ''}</text></svg>`) };
