import { startOperated } from '../operations/kiosk-service.js';
import type { ToyService } from '../toy/toy-service.js';

/** The second model, which has what the listing model does not. */
export function startSecond(): Promise<ToyService> {
  return startOperated({ model: 'test/conformance/second-model.xml', extensions: 'test/conformance/extensions' });
}
