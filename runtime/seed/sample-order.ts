import { targetOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { armsOf } from '../plan/any-navigation.js';
import { isOwnColumn } from '../plan/linking-columns.js';
import { containersOf } from './sample-parent.js';
import { neededWithin, ownReferences } from './sample-record.js';

/** The types so that what a record refers to comes before it, where the model is not a circle. */
export function sampleOrder(container: EntityContainer): readonly EntityType[] {
  const ordered = new Set<EntityType>();
  const open = new Set<EntityType>();
  const visit = (type: EntityType): void => {
    if (ordered.has(type) || open.has(type)) return;
    open.add(type);
    // In a circle, references that a record cannot be without come first.
    const targets = ownReferences(type, container).map(({ navigation, target }) => ({ target, required: navigation.required ?? isRequired(type, navigation.join) }));
    const any = Object.values(type.anyNavigation ?? {}).flatMap((one) => armsOf(type, one, container).map(({ target }) => ({ target, required: one.required ?? false })));
    const within = neededWithin(type, container).map(({ target }) => ({ target, required: true }));
    // What a complex value refers to by a key of its own making has that key by then.
    const followed = Object.values(type.navigation).filter(({ follows }) => follows !== undefined).map((navigation) => ({ navigation, target: targetOf(container, navigation) }));
    followed.filter(({ navigation, target }) => isOwnColumn(navigation, target)).forEach(({ target }) => visit(target));
    // What contains a record is there before it.
    containersOf(type, container).forEach(({ owner }) => visit(owner));
    for (const navigation of Object.values(type.itemNavigation ?? {})) concrete(targetOf(container, navigation), container).forEach(visit);
    for (const { target } of [...targets, ...within, ...any].sort((a, b) => Number(b.required) - Number(a.required))) concrete(target, container).forEach(visit);
    ordered.add(type);
  };
  Object.values(container.entityTypes).forEach(visit);
  return [...ordered];
}

// A reference to an abstract type leads to a record of one that derives from it.
function concrete(target: EntityType, { entityTypes }: EntityContainer): readonly EntityType[] {
  return target.abstract ? Object.values(entityTypes).filter(({ baseTypes }) => baseTypes?.includes(target.qualifiedName)) : [target];
}

function isRequired({ fields }: EntityType, join: Readonly<Record<string, string>>): boolean {
  return Object.keys(join).some((column) => Object.entries(fields).some(([name, field]) => (field.column ?? name) === column && !field.nullable));
}
