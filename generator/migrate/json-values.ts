/** The text of a JSON value: a string's own, and the JSON of any other. `value` is SQL. */
export function textOfJson(value: string): string {
  return `(${value} #>> '{}')`;
}

/** The JSON value of a text: a string where values have no type; otherwise the text must be the JSON of an object. */
export function jsonOfText(edm: string | undefined, text: string): string {
  if (edm === 'Edm.Untyped') return `to_jsonb(${text})`;
  return `case jsonb_typeof(${text}::jsonb) when 'object' then ${text}::jsonb else ('not an object: ' || ${text})::jsonb end`;
}

/** Whether JSON of one type may be none of the other; snapshots of earlier versions do not say of which type it was. */
export function isOtherJson(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || to === 'Edm.Untyped') return false;
  const [old, now] = [from, to].map((type) => type.replace(/Geo(?:graphy|metry)/, 'Geo'));
  return old !== now && !(now === 'Edm.Geo' && old?.startsWith(now));
}
