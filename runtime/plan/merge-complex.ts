import { complexTypeOf, fieldOf, type ComplexType, type EntityContainer, type Field } from '../edm/index.js';
import type { ODataError } from '../errors/odata-error.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { missingMembers, typeMember, typeOfStored, type PlannedComplex } from './plan-complex.js';

const nothing: JsonObject = { kind: 'object', members: new Map() };

/** A stored complex value with what a body changes of it: members one by one, null takes one away (protocol 11.4.9.3). */
export function mergeComplex(path: string, field: Field, stored: Json, patch: Json, container: EntityContainer): PlannedComplex {
  if (field.collection || !isObject(patch)) return { json: patch, faults: [] };
  const before = isObject(stored) ? stored : nothing;
  const declared = complexTypeOf(container, field);
  const said = patch.members.has(typeMember) ? patch : before;
  const type = typeOfStored(declared, said, container);
  const faults: ODataError[] = [];
  const members = new Map<string, Json>(type === declared ? [] : [[typeMember, `#${type.qualifiedName}`]]);
  for (const [name, value] of kept(before, type)) members.set(name, value);
  for (const [name, value] of patch.members) {
    if (name === typeMember) continue;
    const inner = fieldOf(type, name);
    const merged = inner?.type === 'Edm.ComplexType' ? mergeComplex(`${path}/${name}`, inner, members.get(name) ?? null, value, container) : { json: value, faults: [] };
    faults.push(...merged.faults);
    if (merged.json === null) members.delete(name);
    else members.set(name, merged.json);
  }
  return { json: { kind: 'object', members }, faults: [...missingMembers(path, type, members), ...faults] };
}

// What the types before and after do not share goes (protocol 11.4.3).
function kept({ members }: JsonObject, type: ComplexType): readonly (readonly [string, Json])[] {
  return [...members].filter(([name]) => fieldOf(type, name) !== undefined);
}
