import { compareDecimal } from './canonical-number.js';
import { isArray, isObject, type Json } from './json.js';

/**
 * Whether two complex values, or members of them, are equal: numbers by value, members in any order, null and empty
 * equal to absent, as in answers.
 */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  const [left, right] = [orNothing(a), orNothing(b)];
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return left === right;
  if (isArray(left))
    return (
      isArray(right) && left.items.length === right.items.length && left.items.every((item, index) => isSameJson(item, right.items[index]))
    );
  if (isObject(left))
    return (
      isObject(right) &&
      [...new Set([...left.members.keys(), ...right.members.keys()])].every((name) =>
        isSameJson(left.members.get(name), right.members.get(name)),
      )
    );
  return right.kind === 'number' && (left.text === right.text || compareDecimal(left.text, right.text) === 0);
}

function orNothing(json: Json | undefined): Json {
  return json === undefined || (isArray(json) && json.items.length === 0) ? null : json;
}
