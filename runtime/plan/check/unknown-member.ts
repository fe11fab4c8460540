import { anyEntity, type EntityType, fieldOf, isShownName, navigationOf, own } from '../../edm/index.js';
import { localName } from '../../edm/lookup.js';
import { isTransformed, typesWithin } from '../path/derivation.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion, excerpt } from '../../errors/suggest.js';
import type { PathSegment } from '../../expression/ast.js';
import { isMethod } from '../../expression/methods.js';
import { computedNames, type Scope } from '../scope.js';
import { castHint } from '../path/type-cast.js';

/** The error for an unknown name after an entity, with a suggestion. */
export function unknownMember(segment: PathSegment, type: EntityType, scope: Scope): Error {
  if (segment.name.includes('.')) return unknownDotted(segment, type, scope);
  const known = [...Object.keys(type.fields), ...Object.keys(type.navigation), ...scope.variables.keys(), ...computedNames(scope)];
  const { name } = segment;
  const hint =
    keyHint(name, type) ??
    dollarHint(name, type, scope) ??
    wordHint(name) ??
    prefixHint(segment, type) ??
    localHint(segment, type, scope) ??
    typeHint(segment, type) ??
    directionHint(segment, scope) ??
    droppedHint(segment, scope) ??
    variableHint(name, scope) ??
    memberHint(name, type, scope) ??
    (castHint(name, type, scope.container) || nearestOrText(name, known, scope));
  return errors.unknownName(`property ${segment.name}`, type.name, hint).at(segment.name);
}

// A name with dots is a path as other languages write it, or that of a type.
function unknownDotted(segment: PathSegment, type: EntityType, scope: Scope): Error {
  const { container } = scope;
  const { name } = segment;
  const hint = dottedHint(segment, type) ?? memberHint(name, type, scope);
  if (hint !== undefined) return errors.unknownName(`property ${excerpt(name)}`, type.name, hint).at(name);
  if (isTransformed(type))
    return errors
      .unknownName(
        `type ${excerpt(name)}`,
        type.name,
        ` Its rows are not records: write the whole path in groupby, as in groupby((${excerpt(name)}/...)).`,
      )
      .at(name);
  const types = typesWithin(type, container).map(({ qualifiedName }) => qualifiedName);
  return errors.unknownName(`type ${excerpt(name)}`, 'The model', suggestion(name, types)).at(name);
}

// Other languages write members of enumerations without quotes, after the type.
function memberHint(name: string, { fields }: EntityType, { option }: Scope): string | undefined {
  if (option === '$orderby' || option === '$select') return undefined;
  const wanted = localName(name).toLowerCase();
  for (const [property, { enumeration, allowedValues = [] }] of Object.entries(fields)) {
    const values = enumeration ? enumeration.members.map(([member]) => member) : allowedValues;
    const value = values.find((one) => one.toLowerCase() === wanted);
    if (value !== undefined && isShownName(property)) return ` It is a value of ${property}: write '${value}'.`;
  }
  return undefined;
}

// A name of a letter or two is near to too many; and a text is nothing to sort by.
function nearestOrText(name: string, known: readonly string[], { option }: Scope): string {
  const nearest = suggestion(name, known);
  if (option === '$orderby' || (nearest !== '' && name.length > 2)) return nearest;
  return `${nearest} If it is a string, write '${name}'.`;
}

// The name that a key has for a path is one of addresses alone (CSDL 4.01, 6.5).
function keyHint(name: string, { keyFields = {} }: EntityType): string | undefined {
  const path = own(keyFields, name)?.path;
  return path === undefined || !isShownName(path) ? undefined : ` It is an alias for keys in addresses; here write ${path}.`;
}

// A path has slashes where other languages have dots.
function dottedHint({ name }: PathSegment, type: EntityType): string | undefined {
  const [first = '', ...rest] = name.split('.');
  const last = rest.join('/');
  const navigation = navigationOf(type, first);
  if (navigation?.collection) return ` Write ${first}/any(x:x/${last} ...).`;
  if (navigation) return ` Write ${first}/${last}.`;
  if (!last.includes('/') && fieldOf(type, last)) return ` Write ${last}.`;
  const field = fieldOf(type, first);
  if (field && isMethod(last.toLowerCase())) return ` Write ${last.toLowerCase()}(${first}).`;
  return field?.complex === undefined ? undefined : ` Write ${first}/${last}.`;
}

// A name with a dollar sign is a word of OData, not a text without quotes.
function dollarHint(name: string, type: EntityType, { option }: Scope): string | undefined {
  if (/^count$/i.test(name) && option === '$apply') return ' Write $count.';
  if (/^\$?count$/i.test(name)) return countHint(type);
  return name.startsWith('$') ? suggestion(name, ['$it', '$this', '$root']) : undefined;
}

function countHint(type: EntityType): string {
  if (isTransformed(type)) return ' Write the name that aggregate gives to $count, as in aggregate($count as Many).';
  const [collection] = [...Object.entries(type.navigation), ...Object.entries(type.fields)].find(
    ([name, { collection }]) => collection && isShownName(name),
  ) ?? [undefined];
  return collection === undefined ? ' A collection precedes $count.' : ` A collection precedes $count: write ${collection}/$count.`;
}

/** Words of other languages, literals without quotes, and functions without parentheses. */
const wordHints: readonly (readonly [word: RegExp, hint: (name: string) => string])[] = [
  [/^(?:none|nil|undefined|na|missing)$/i, () => 'Write null.'],
  [/^nan$/i, () => 'Write NaN, or null for a missing value.'],
  [/^(?:y|yes|n|no)$/i, (name) => `If it is a Boolean, write ${/^y/i.test(name)}; if it is a string, '${name}'.`],
  [/^P(?:T?\d+[A-Z])+$/, (name) => `Write duration'${name}'.`],
  [/^(?:now|m\w+datetime)$/i, (name) => `It is a function: write ${name.toLowerCase()}().`],
];

function wordHint(name: string): string | undefined {
  const [, hint] = wordHints.find(([word]) => word.test(name)) ?? [];
  if (hint) return ` ${hint(name)}`;
  return isMethod(name.toLowerCase()) ? ` It is a function: write ${name.toLowerCase()}(...).` : undefined;
}

// A path begins at the record, and needs no name of its set or type.
function prefixHint({ name }: PathSegment, type: EntityType): string | undefined {
  return name === type.name || name === type.entitySet || /^(?:this|self|it|me)$/i.test(name)
    ? ` A path starts at the record: remove ${name}/.`
    : undefined;
}

// A type in a path has its namespace.
function localHint({ name }: PathSegment, type: EntityType, { container }: Scope): string | undefined {
  const found = typesWithin(type, container).find(({ qualifiedName }) => qualifiedName.endsWith(`.${name}`));
  return found && ` A type needs its namespace: write ${found.qualifiedName}.`;
}

// Records of any type have no property in common.
function typeHint({ name }: PathSegment, { qualifiedName }: EntityType): string | undefined {
  return qualifiedName === anyEntity ? ` Write its type before it, as in Ns.Type/${name}.` : undefined;
}

function directionHint({ name }: PathSegment, { option }: Scope): string | undefined {
  return option === '$orderby' && /^(?:asc|desc)$/i.test(name)
    ? ` ${name} follows its value without a comma: write ‹number› ${name}.`
    : undefined;
}

// A column that was aggregated away is reported as such.
function droppedHint(segment: PathSegment, { has }: Scope): string | undefined {
  return has?.({ kind: 'member', at: segment.at, path: [segment] })?.kind === 'constant' ? aggregatedAway : undefined;
}

/** Why a property of the model is not in the result of `$apply`. */
export const aggregatedAway = ' It was neither grouped nor aggregated: add it to groupby((...)), or aggregate it there.';

// Within any and all a property of the collection's records needs the variable in front.
function variableHint(name: string, scope: Scope): string | undefined {
  const found = [...scope.variables].find(
    ([variable, { kind, ...bound }]) => variable !== '$it' && kind === 'record' && 'type' in bound && fieldOf(bound.type, name),
  );
  return found && ` Write ${found[0]}/${name}.`;
}
