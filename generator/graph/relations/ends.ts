import type { Navigation } from '../../../runtime/edm/navigation.js';
import type { NavigationProperty } from '../../csdl/csdl.js';
import type { BuiltType, Ends } from '../built-model.js';
import type { Relation } from '../storage.js';

/** The name of a navigation property in messages. */
export function label({ name: owner }: BuiltType, { name }: NavigationProperty): string {
  return `${owner}/${name}`;
}

/** Whether the targets require an entity of this type, and are deleted with it. */
export function ownsOf({ property }: Ends, isRequired: boolean): Pick<Navigation, 'owns'> {
  return isRequired && property.onDelete?.action === 'Cascade' ? { owns: true } : {};
}

/** The effect of the target's deletion on the property or the row. */
export function fateOf(onDelete: Relation['onDelete']): Pick<Navigation, 'setsNull' | 'cascades'> {
  if (onDelete === 'cascade') return { cascades: true };
  return onDelete === 'set null' ? { setsNull: true } : {};
}

/** The effect on another row with the same target, where the partner is single-valued. */
export function soleOf({ property, inverse }: Ends, mayBeNull: boolean): Pick<Navigation, 'sole'> {
  if (inverse === undefined || inverse.collection || inverse.containsTarget || property.containsTarget) return {};
  return { sole: mayBeNull ? 'frees' : 'refuses' };
}
