import type { EntityType, Navigation } from '../edm/index.js';
import type { RecordTarget } from './path-target.js';

type Addressed = Pick<RecordTarget, 'address'>;

/** How what a navigation property leads to is addressed. */
export function addressAlong(target: RecordTarget, name: string, navigation: Navigation, type: EntityType): Addressed {
  const { address } = target;
  const container = navigation.container && containerAddress(target);
  if (container) return container;
  return { address: [...(address ?? []), { name: name, type, ...(!navigation.collection && { alone: true }) }] };
}

/** What is contained by a derived type's records is addressed behind the cast. */
export function castAddress({ address = [] }: RecordTarget, name: string, type: EntityType): Addressed {
  return { address: [...address, { name, type }] };
}

// What contains a record is addressed by what stands in front of that: the way back is not a way on.
function containerAddress({ address = [] }: RecordTarget): Addressed | undefined {
  const own = address.findLastIndex(({ name }) => !name.includes('.') || name.includes('/'));
  return own > 0 ? { address: address.slice(0, own) } : undefined;
}
