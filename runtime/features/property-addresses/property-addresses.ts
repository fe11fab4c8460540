import { httpHooks } from '../../http/hooks.js';
import { planHooks } from '../../plan/hooks.js';
import { fromProperty, propertyAt } from './plan/property-path.js';
import { readProperty } from './read-property.js';
import { appendValue, clearProperty, setProperty } from './write-property.js';

/** Registers requests of properties at their addresses. */
export function registerPropertyAddresses(): void {
  planHooks.register({ propertyAt, fromProperty });
  httpHooks.register({
    propertyOperations: {
      read: readProperty,
      operate: (target, exchange) => {
        const { method } = exchange.request;
        if (method === 'GET' || method === 'HEAD') return readProperty(target, exchange);
        if (method === 'POST') return appendValue(target, exchange);
        return method === 'DELETE' ? clearProperty(target, exchange) : setProperty(target, exchange);
      },
    },
  });
}
