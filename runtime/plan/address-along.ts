import type { EntityType, Navigation } from '../edm/index.js';
import type { RecordTarget } from './path-target.js';

type Addressed = Pick<RecordTarget, 'address'>;

/** The address of a navigation property's targets. */
export function addressAlong(target: RecordTarget, name: string, navigation: Navigation, type: EntityType): Addressed {
  const { address } = target;
  const container = navigation.container && containerAddress(target);
  if (container) return container;
  return { address: [...(address ?? []), { name: name, type, ...(!navigation.collection && { alone: true }) }] };
}

/** A containment of a derived type is addressed after the cast. */
export function castAddress({ address = [] }: RecordTarget, name: string, type: EntityType): Addressed {
  return { address: [...address, { name, type }] };
}

// A parent is addressed by the path before its child, so a back-reference does not extend the address.
function containerAddress({ address = [] }: RecordTarget): Addressed | undefined {
  const own = address.findLastIndex(({ name }) => !name.includes('.') || name.includes('/'));
  return own > 0 ? { address: address.slice(0, own) } : undefined;
}
